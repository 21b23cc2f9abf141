import type { JobDeps } from '../../../core/deps.ts';
import type { Job } from '../../../jobs/job.ts';
import { wake } from '../../../jobs/queue.ts';
import { createWaker, withTimeLimit } from '../runs.ts';
import { extractWaitingTexts, recogniseWaitingPictures } from './backlog.ts';

const recognisePicturesJob: Job<JobDeps, object> = {
  name: 'read-pictures',
  schedule: '* * * * *',
  canBeWoken: true,
  run: (deps) => withTimeLimit(deps, recogniseWaitingPictures),
};

const extractTextsJob: Job<JobDeps, object> = {
  name: 'extract-texts',
  schedule: '* * * * *',
  canBeWoken: true,
  async run(deps) {
    await withTimeLimit(deps, extractWaitingTexts);
    if (!deps.stopping.aborted) await wake(deps.db, recognisePicturesJob);
  },
};

export const textJobs = [extractTextsJob, recognisePicturesJob];

/** Call it after an upload. */
export const wakeTextExtraction = createWaker(extractTextsJob);
