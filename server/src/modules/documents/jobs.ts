import { sweepObjectsJob } from './consistency/sweep.ts';
import { deleteObjectJob } from './derived/delete-object.ts';
import { makePreviewsJob } from './previews/jobs.ts';
import { textJobs } from './text/jobs.ts';

export const documentJobs = [deleteObjectJob, sweepObjectsJob, ...textJobs, makePreviewsJob];
