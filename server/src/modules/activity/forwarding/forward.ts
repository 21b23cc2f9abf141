import type { Deps } from '../../../core/deps.ts';
import { limitTime } from '../../../core/time-limit.ts';
import { presentActivity } from '../present.ts';
import { type ChainSeal, readChain } from '../seals/chain.ts';
import { readGenuineRows } from '../seals/genuine-rows.ts';
import { newestSeal } from '../seals/seal.ts';
import { findMark, saveMark } from './mark.ts';
import { signatureHeaders } from './signature.ts';

const batchSize = 100;
const timeoutMs = 10_000;

type Webhook = NonNullable<Deps['config']['activityWebhook']>;

async function send({ clock, stopping }: Deps, { url, secret }: Webhook, id: string, body: string) {
  using limit = limitTime(stopping, timeoutMs);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders(secret, id, clock.now(), body) },
    body,
    redirect: 'error',
    signal: limit.signal,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`ACTIVITY_WEBHOOK answered ${response.status}`);
}

async function sendSeal(deps: Deps, webhook: Webhook, seal: ChainSeal, before: number): Promise<void> {
  const genuine = await readGenuineRows(deps, seal, before + 1);
  const rows = genuine.map(({ number, row }) => ({ number, ...presentActivity(row) }));
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize);
    const id = `activity-${batch[0]?.id}-${batch.at(-1)?.id}`;
    await send(deps, webhook, id, JSON.stringify({ activity: batch }));
  }
}

/**
 * Sends sealed rows in the order of their ids, each at least once; no row can appear between them any more. Rows have
 * consecutive numbers, so that the receiver notices missing ones. After a failure, the next run sends the whole seal
 * again.
 */
export async function forwardActivity(deps: Deps): Promise<void> {
  const { activityWebhook } = deps.config;
  if (!activityWebhook || !(await newestSeal(deps))) return;
  const mark = await findMark(deps);
  let { number } = mark;
  for await (const seal of readChain(deps.db, deps.keys.activity, mark.seal)) {
    if (deps.stopping.aborted) return;
    if (seal.kind !== 'rows') continue;
    await sendSeal(deps, activityWebhook, seal, number);
    number += seal.row_count;
    await saveMark(deps, { seal, number });
  }
}
