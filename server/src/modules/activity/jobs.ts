import type { JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import { forwardActivity } from './forwarding/forward.ts';

/** A receiver that is slow or away holds up no seal. */
export const forwardActivityJob: Job<JobDeps, object> = {
  name: 'forward-activity',
  schedule: '* * * * *',
  canBeWoken: true,
  run: forwardActivity,
};

export const activityJobs = [forwardActivityJob];
