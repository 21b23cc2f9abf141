import { markPages } from './db/pages.ts';
import type { Deps } from './deps.ts';
import type { JobHandlers } from './jobs/worker.ts';
import { forgetExpired } from './modules/auth/forget.ts';
import { sweepObjects } from './modules/documents/jobs.ts';
import { sendInvitation } from './modules/users/invite.ts';

/** `publicUrl` is the address that mails send people to; it never comes from a request. */
export function createJobHandlers(deps: Deps, publicUrl: string): JobHandlers {
  return {
    'send-invitation': (payload) => sendInvitation(deps, publicUrl, payload),
    'delete-object': ({ storage_key }) => deps.storage.delete(storage_key),
    'sweep-objects': async () => {
      await sweepObjects(deps);
    },
    'forget-expired': () => forgetExpired(deps),
    'mark-pages': async () => {
      await markPages(deps.db, 'customers');
      await markPages(deps.db, 'documents');
    },
  };
}
