import type { JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import { removeOldActivity } from './seals/retention.ts';
import { sealActivity } from './seals/seal.ts';

/** Both add seals, so one comes after the other. */
const sealActivityJob: Job<JobDeps, object> = {
  name: 'seal-activity',
  schedule: '* * * * *',
  async run(deps) {
    await sealActivity(deps);
    await removeOldActivity(deps);
  },
};

export const activityJobs = [sealActivityJob];
