import { randomBytes, randomUUID } from 'node:crypto';
import type { Deps } from '../../../server/src/core/deps.ts';
import { withOwnConnection } from '../../../server/src/db/own-connection.ts';
import {
  hashOfValues,
  macOfRow,
  type ProvenPart,
  saltBytes,
  type Values,
} from '../../../server/src/modules/activity/seals/proof.ts';
import { copyRows, type Value } from '../dataset/copy.ts';
import type { Colleague } from '../people.ts';

const columns = [
  ...['at', 'action', 'actor_id', 'actor_label', 'subject_type', 'subject_id', 'customer_id', 'address'],
  ...['request_id', 'shown', 'subject_label', 'detail', 'changes', 'salt', 'mac'],
];

const spanMs = 400 * 24 * 3_600_000;
/** The rows of the person who rarely signs in. */
export const rareRows = 10;

type Row = ProvenPart & Values;

/** Mostly views and downloads, as in a real log. */
function rowOf(index: number, at: Date, actor: Colleague): Row {
  const customer = 1 + ((index * 7919) % 2_000);
  const document = 1 + ((index * 104_729) % 4_000);
  const common = {
    at,
    actor_id: actor.id,
    actor_label: `Colleague ${actor.id}`,
    address: `10.0.${index % 16}.${index % 200}`,
    request_id: randomUUID(),
    changes: null,
  };
  const ofDocument = { subject_type: 'document', subject_id: document, customer_id: customer, shown: false };
  const label = `Contract of customer ${customer}.pdf`;
  if (index % 20 === 0) {
    const changes = { city: { from: 'Utrecht', to: 'Amersfoort' } };
    const subject = { subject_type: 'customer', subject_id: customer, customer_id: customer, shown: true };
    return { ...common, ...subject, action: 'customer.updated', subject_label: label, detail: null, changes };
  }
  if (index % 20 === 1) {
    const subject = { subject_type: 'user', subject_id: actor.id, customer_id: null, shown: false };
    const action = index % 100 === 1 ? 'sign_in.failed' : 'sign_in.succeeded';
    return { ...common, ...subject, action, subject_label: actor.email, detail: null };
  }
  const isDownload = index % 3 === 0;
  const detail = { purpose: isDownload ? 'download' : 'view' };
  const action = isDownload ? 'document.downloaded' : 'document.viewed';
  return { ...common, ...ofDocument, action, subject_label: label, detail };
}

function* signedRows(
  { keys }: Deps,
  count: number,
  frequent: Colleague[],
  rare: Colleague,
): Generator<Value[]> {
  const until = Date.now();
  const isRare = (index: number) => index % Math.ceil(count / rareRows) === 0;
  for (let index = 0; index < count; index += 1) {
    const actor = isRare(index) ? rare : (frequent[index % frequent.length] ?? rare);
    const at = new Date(until - spanMs + (spanMs * index) / count);
    const row = rowOf(index, at, actor);
    const salt = randomBytes(saltBytes);
    const mac = macOfRow(keys.activity, row, hashOfValues(salt, row));
    yield [
      ...[at.toISOString(), row.action, row.actor_id, row.actor_label, row.subject_type, row.subject_id],
      ...[row.customer_id, row.address, row.request_id, String(row.shown), row.subject_label],
      ...[row.detail, row.changes].map((values) => (values ? JSON.stringify(values) : null)),
      ...[salt, mac].map((bytes) => `\\x${bytes.toString('hex')}`),
    ];
  }
}

/** A log of so many rows, signed as the server signs them; as it was left by an earlier run. */
export async function fillLog(
  deps: Deps,
  count: number,
  [rare, ...frequent]: [Colleague, ...Colleague[]],
): Promise<void> {
  await withOwnConnection(deps.pool, async ({ client }) => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int as count from activity');
    if ((rows[0]?.count ?? 0) >= count) return;
    await copyRows(client, 'activity', columns, signedRows(deps, count, frequent, rare));
    await client.query('vacuum (analyze) activity');
  });
}
