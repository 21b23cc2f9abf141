import type { JobDeps } from '../../../core/deps.ts';
import type { Job } from '../../../jobs/job.ts';
import { createWaker, withTimeLimit } from '../runs.ts';
import { makeWaitingPreviews } from './make.ts';

export const makePreviewsJob: Job<JobDeps, object> = {
  name: 'make-previews',
  schedule: '* * * * *',
  canBeWoken: true,
  run: (deps) => withTimeLimit(deps, makeWaitingPreviews),
};

export const wakePreviews = createWaker(makePreviewsJob);
