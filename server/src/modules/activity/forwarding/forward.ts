import type { Deps } from '../../../core/deps.ts';
import { presentActivity } from '../present.ts';
import { listSealedRows, newestSeal } from '../seals/seal.ts';
import * as repo from './repo.ts';
import { signatureHeaders } from './signature.ts';

const batchSize = 100;
const timeoutMs = 10_000;

type Webhook = NonNullable<Deps['config']['activityWebhook']>;

async function send({ clock, stopping }: Deps, { url, secret }: Webhook, id: string, body: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signatureHeaders(secret, id, clock.now(), body) },
    body,
    redirect: 'error',
    signal: AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`ACTIVITY_WEBHOOK answered ${response.status}`);
}

/**
 * Sends rows in the order of their ids, each at least once. Only sealed ones: no row can appear between them any more.
 * A batch that fails is sent again with the next run.
 */
export async function forwardActivity(deps: Deps): Promise<void> {
  const { activityWebhook } = deps.config;
  const sealed = (await newestSeal(deps))?.through_id;
  if (!activityWebhook || sealed === undefined) return;
  let last = await repo.findForwarded(deps.db);
  if (last === undefined) {
    // An export has what was before.
    last = sealed;
    await repo.saveForwarded(deps.db, last);
  }
  while (last < sealed && !deps.stopping.aborted) {
    const rows = await listSealedRows(deps.db, last, sealed, batchSize);
    const newest = rows.at(-1)?.id;
    if (newest === undefined) return;
    const body = JSON.stringify({ activity: rows.map(presentActivity) });
    await send(deps, activityWebhook, `activity-${rows[0]?.id}-${newest}`, body);
    await repo.saveForwarded(deps.db, newest);
    last = newest;
  }
}

/** What retention may remove: rows that wait to be sent stay. */
export async function forwardedThrough({ config, db }: Deps): Promise<number> {
  if (!config.activityWebhook) return Number.MAX_SAFE_INTEGER;
  return (await repo.findForwarded(db)) ?? Number.MAX_SAFE_INTEGER;
}
