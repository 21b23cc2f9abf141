import { randomBytes } from 'node:crypto';
import type { Server } from '@customer-database/testkit/killable-server';
import type { Deps } from '../../../server/src/core/deps.ts';
import { removeNote } from '../../../server/src/modules/activity/seals/note.ts';
import { hashOfValues, macOfRow, saltBytes } from '../../../server/src/modules/activity/seals/proof.ts';
import { sealActivity } from '../../../server/src/modules/activity/seals/seal.ts';
import type { Case } from '../cases.ts';
import { type Effort, type Figures, measureServer } from '../measure.ts';
import type { Driver } from '../processes.ts';

/** Seals the whole log anew. */
export async function timeSealing(deps: Deps): Promise<number> {
  await deps.pool.query('truncate activity_seals');
  await removeNote(deps.config.dataDir);
  const began = performance.now();
  await sealActivity(deps);
  return (performance.now() - began) / 1000;
}

/** Of what a request does for the seal: hashing the values and signing the row. In microseconds. */
export function timeSigning({ keys }: Deps, times: number): number {
  const row = {
    ...{ at: new Date(), action: 'document.link_issued', actor_id: 17, actor_label: 'A colleague' },
    ...{ subject_type: 'document', subject_id: 4711, customer_id: 815, address: '10.0.0.1' },
    ...{ request_id: '0b7f1c8e-7a53-4f0e-9d1c-0f4f4f0c4c11', shown: false },
  };
  const values = { subject_label: 'Contract.pdf', detail: { purpose: 'download' }, changes: null };
  const began = performance.now();
  for (let done = 0; done < times; done += 1)
    macOfRow(keys.activity, row, hashOfValues(randomBytes(saltBytes), values));
  return ((performance.now() - began) * 1000) / times;
}

const everyMs = 1000;

/** Sixty times as often as a server does. */
function sealAllTheTime(deps: Deps): () => Promise<void> {
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted) {
      await sealActivity(deps);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const running = run();
  return async () => {
    stopped.abort();
    await running;
  };
}

export type Beside = { alone: Figures; sealing: Figures };

/** The same requests with and without sealing going on, in turn. */
export async function measureBeside(
  driver: Driver,
  server: Server,
  deps: Deps,
  benchCase: Case,
  { rounds, ...effort }: Effort,
): Promise<Beside> {
  const measure = () => measureServer(driver, { server }, benchCase, { ...effort, rounds: 1 });
  const alone: Figures[] = [];
  const sealing: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await measure());
    const stop = sealAllTheTime(deps);
    sealing.push(await measure());
    await stop();
  }
  return { alone: middleOf(alone), sealing: middleOf(sealing) };
}

const middleOf = (figures: Figures[]): Figures =>
  figures.toSorted((one, other) => one.p50 - other.p50)[Math.floor(figures.length / 2)] as Figures;
