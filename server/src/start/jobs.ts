import { backupJobs } from '../backup/schedule.ts';
import type { JobDeps } from '../core/deps.ts';
import type { Job } from '../jobs/job.ts';
import { activityJobs } from '../modules/activity/jobs.ts';
import { deleteExpiredJob } from '../modules/auth/delete-expired.ts';
import { documentJobs } from '../modules/documents/consistency/jobs.ts';
import { extractionJobs } from '../modules/extraction/jobs.ts';
import { sendNoticeJob } from '../modules/users/notice.ts';
import { sendTemporaryPasswordJob } from '../modules/users/temporary-password.ts';
import { reportUnusualReadingJob } from '../modules/users/unusual-reading.ts';
import { vocabularyJobs } from '../modules/vocabulary/jobs.ts';

/** Everything that happens later or by the clock. */
export const jobs: Job<JobDeps, never>[] = [
  sendTemporaryPasswordJob,
  sendNoticeJob,
  ...documentJobs,
  ...extractionJobs,
  ...vocabularyJobs,
  deleteExpiredJob,
  ...activityJobs,
  reportUnusualReadingJob,
  ...backupJobs,
];
