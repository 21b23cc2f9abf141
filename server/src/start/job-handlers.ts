import { backUpIfDue, checkIfDue } from '../backup/schedule.ts';
import type { Deps } from '../core/deps.ts';
import type { JobHandlers, JobRun } from '../jobs/worker.ts';
import { deleteExpired } from '../modules/auth/delete-expired.ts';
import { deleteObject, sweepObjects } from '../modules/documents/consistency/jobs.ts';
import { sendInvitation } from '../modules/users/invite.ts';
import { sendNotice } from '../modules/users/notice.ts';

type Handler = (payload: never, run: JobRun) => Promise<void>;

function timed({ metrics }: Deps, job: string, handle: Handler): Handler {
  return async (payload, run) => {
    const done = metrics.jobSeconds.startTimer({ job });
    try {
      await handle(payload, run);
      done({ outcome: 'done' });
    } catch (error) {
      done({ outcome: 'failed' });
      throw error;
    }
  };
}

/** Links in mails use `publicUrl`, which never comes from a request. */
export function createJobHandlers(deps: Deps, publicUrl: string): JobHandlers {
  const handlers: JobHandlers = {
    'send-invitation': (payload) => sendInvitation(deps, publicUrl, payload),
    'send-notice': (payload) => sendNotice(deps, payload),
    'delete-object': ({ storage_key }) => deleteObject(deps, storage_key),
    'sweep-objects': async (_payload, { log, signal }) => {
      await sweepObjects({ ...deps, log, stopping: signal });
    },
    'forget-expired': () => deleteExpired(deps),
    'backup-if-due': (_payload, { signal }) => backUpIfDue(deps, signal),
    'check-if-due': (_payload, { signal }) => checkIfDue(deps, signal),
  };
  const all = Object.entries(handlers).map(([job, handle]) => [job, timed(deps, job, handle)]);
  return Object.fromEntries(all) as JobHandlers;
}
