import { backupJobs } from '../backup/schedule.ts';
import type { JobDeps } from '../core/deps.ts';
import type { Job } from '../jobs/job.ts';
import { accountJobs } from '../modules/accounts/jobs.ts';
import { activityJobs } from '../modules/activity/jobs.ts';
import { documentJobs } from '../modules/documents/jobs.ts';
import { prepareWordsJob } from '../search/prepare-words.ts';
import { vocabularyJobs } from '../search/vocabulary/jobs.ts';

export const jobs: Job<JobDeps, never>[] = [
  ...accountJobs,
  ...documentJobs,
  prepareWordsJob,
  ...vocabularyJobs,
  ...activityJobs,
  ...backupJobs,
];
