import { sweepObjectsJob } from './consistency/sweep.ts';
import { deleteObjectJob } from './derived/delete-object.ts';
import { textJobs } from './text/jobs.ts';

export const documentJobs = [deleteObjectJob, sweepObjectsJob, ...textJobs];
