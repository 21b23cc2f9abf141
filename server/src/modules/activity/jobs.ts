import type { JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import { wake } from '../../jobs/queue.ts';
import { forwardActivity } from './forwarding/forward.ts';
import { removeOldActivity } from './seals/retention.ts';
import { sealActivity } from './seals/seal.ts';

/** A receiver that is slow or away holds up no seal. */
const forwardActivityJob: Job<JobDeps, object> = {
  name: 'forward-activity',
  schedule: '* * * * *',
  canBeWoken: true,
  run: forwardActivity,
};

/** Both add seals, so one comes after the other. */
const sealActivityJob: Job<JobDeps, object> = {
  name: 'seal-activity',
  schedule: '* * * * *',
  async run(deps) {
    await sealActivity(deps);
    if (deps.config.activityWebhook) await wake(deps.db, forwardActivityJob);
    await removeOldActivity(deps);
  },
};

export const activityJobs = [sealActivityJob, forwardActivityJob];
