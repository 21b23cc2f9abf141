import type { Deps, JobDeps } from '../core/deps.ts';
import { reasonOf } from '../core/log.ts';
import { type JobWorker, openJobWorker } from '../jobs/worker.ts';
import {
  createConfiguredAdmin,
  needsFirstAdmin,
  setupCode,
  warnAdmins,
} from '../modules/accounts/commands.ts';
import { type Sealer, startSealing } from '../modules/activity/seals/sealer.ts';
import { prepareWordsNow } from '../search/prepare-words.ts';
import { jobs } from './jobs.ts';
import { openSealCopy } from './seal-copy.ts';

/** The server starts without these: until they answer, only uploads and downloads fail. */
async function warnAboutUnavailable({ scanner, storage, log }: Deps): Promise<void> {
  await scanner?.checkHealth().catch((err: unknown) => {
    log.warn({ err }, 'CLAMD_URL: the virus scanner does not answer; uploads are refused until it does');
  });
  await storage.checkHealth().catch((error: unknown) => {
    const reason = reasonOf(error);
    log.error({ reason }, 'the document storage cannot be used: check S3_BUCKET, S3_ENDPOINT and the keys');
  });
}

export type Background = {
  /** Whether the first administrator is still to be created. */
  needsSetup: boolean;
  start(publicUrl: string): Promise<void>;
  stop(): Promise<void>;
};

/** The work of exactly one process of a server: it prepares the data, runs jobs and seals the activity log. */
export async function openBackground(
  deps: Deps,
  prepare: (deps: Deps) => Promise<void>,
): Promise<Background> {
  await createConfiguredAdmin(deps);
  await prepare(deps);
  const needsSetup = await needsFirstAdmin(deps);
  const worker: JobWorker<JobDeps> = await openJobWorker(deps.db, deps.log, jobs);
  let sealer: Sealer | undefined;
  return {
    needsSetup,
    async start(publicUrl) {
      void warnAboutUnavailable(deps);
      await worker.start({ ...deps, publicUrl });
      await prepareWordsNow(deps);
      sealer = startSealing(deps, {
        copySeals: await openSealCopy(deps),
        alarm: (text) => warnAdmins(deps, text),
      });
    },
    async stop() {
      await worker.stop();
      await sealer?.stop();
    },
  };
}

export const setupUrlOf = (deps: Deps, url: string) => `${url}/login#setup_code=${setupCode(deps)}`;
