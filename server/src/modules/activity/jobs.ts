import type { JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import { forwardActivity } from './forwarding/forward.ts';

/** A job, so that sealing does not wait for a slow receiver. */
export const forwardActivityJob: Job<JobDeps, object> = {
  name: 'forward-activity',
  schedule: '* * * * *',
  canBeWoken: true,
  run: forwardActivity,
};

export const activityJobs = [forwardActivityJob];
