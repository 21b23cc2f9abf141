import { reportUnusualReadingJob } from './alerts/alerts.ts';
import { deleteExpiredJob } from './delete-expired.ts';
import { sendNoticeJob } from './notices/notice.ts';
import { sendCredentialMailJob } from './passwords/credential-mail.ts';

export const accountJobs = [sendCredentialMailJob, sendNoticeJob, deleteExpiredJob, reportUnusualReadingJob];
