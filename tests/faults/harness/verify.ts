import { download } from '@customer-database/testkit/documents';
import type { Findings } from './findings.ts';
import type { Installation } from './installation.ts';
import { editText, type Ledger, type LedgerDocument } from './ledger.ts';
import { withDatabase } from './postgres.ts';
import { sha256Of } from './uploads.ts';

type Row = { id: number; filename: string; file_size: number; sha256: string; storage_key: string };

export type Verified = {
  /** Objects without a row, which the sweep removes when they are a day old. */
  leftovers: string[];
  /** Uploads that were saved, but never answered. */
  savedUnanswered: number;
};

async function readRows({ folder }: Installation): Promise<{ rows: Row[]; unlogged: number }> {
  return withDatabase(folder, async (client) => {
    const { rows } = await client.query<Row>(
      `select id::int, filename, file_size::int, encode(sha256, 'hex') as sha256, storage_key from documents`,
    );
    // A change and its activity row commit together.
    const { rows: counted } = await client.query<{ unlogged: number }>(
      `select count(*)::int as unlogged from documents where not exists (select from activity
       where action = 'document.uploaded' and subject_type = 'document' and subject_id = documents.id)`,
    );
    return { rows, unlogged: counted[0]?.unlogged ?? 0 };
  });
}

/** Compares a document with its row, and settles states that were open. */
function compareWithRow(document: LedgerDocument, row: Row | undefined, findings: Findings): void {
  const { filename, state } = document;
  if (state === 'deleted') {
    if (row) findings.lost.push(`the deletion of ${filename}: it is there again`);
  } else if (!row) {
    if (state === 'kept') findings.lost.push(`${filename}: its row is gone`);
    document.state = 'deleted';
  } else {
    const isWhole = row.file_size === document.size && row.sha256 === document.sha256;
    if (!isWhole) findings.lost.push(`${filename}: its row has ${row.file_size} bytes, another checksum`);
    if (state === 'kept' && row.id !== document.id) findings.lost.push(`${filename}: it has another number`);
    Object.assign(document, { id: row.id, state: 'kept' });
  }
}

async function compareObjects(
  { storage }: Installation,
  rows: Row[],
  mustRead: (row: Row) => boolean,
  findings: Findings,
): Promise<string[]> {
  const sizes = new Map<string, number>();
  for await (const { key, size } of storage.list('documents/')) sizes.set(key, size);
  for (const row of rows) {
    const size = sizes.get(row.storage_key);
    sizes.delete(row.storage_key);
    if (size !== row.file_size) findings.lost.push(`${row.filename}: its object has ${size ?? 'no'} bytes`);
    else if (mustRead(row)) {
      const bytes = Buffer.concat(await (await storage.get(row.storage_key)).toArray());
      if (sha256Of(bytes) !== row.sha256) findings.lost.push(`${row.filename}: its object was changed`);
    }
  }
  return [...sizes.keys()];
}

async function fetchDocument({ admin }: Installation, document: LedgerDocument, findings: Findings) {
  const bytes = await download(admin, document.id ?? 0).catch((error: Error) => error);
  if (bytes instanceof Error) findings.lost.push(`${document.filename}: ${bytes.message}`);
  else if (sha256Of(bytes) !== document.sha256) findings.lost.push(`${document.filename}: other bytes came`);
}

async function compareCustomers({ admin }: Installation, ledger: Ledger, findings: Findings): Promise<void> {
  for (const customer of ledger.customers) {
    const { status, body } = await admin.get(`/api/customers/${customer.id}`);
    const kept = status === 200 ? body.customer.street_line : `status ${status}`;
    const allowed = Array.from(
      { length: customer.sent - customer.acknowledged + 1 },
      (_, later) => customer.acknowledged + later,
    );
    const found = allowed.find((number) => editText(number) === kept);
    if (found === undefined) {
      findings.lost.push(
        `customer ${customer.id}: '${kept}' instead of edit ${customer.acknowledged} or later`,
      );
    }
    customer.acknowledged = found ?? customer.acknowledged;
    customer.sent = customer.acknowledged;
  }
}

async function compareSessions({ server }: Installation, tokens: string[], findings: Findings) {
  for (const token of tokens) {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${server.url}/api/auth/verify`, { headers });
    if (status !== 200) findings.lost.push(`a session: it is answered ${status}`);
  }
}

/**
 * Compares everything in the ledger with what is stored, by HTTP and directly. Reads the bytes of what is new since
 * the last call, or of everything.
 */
export async function verify(
  installation: Installation,
  ledger: Ledger,
  findings: Findings,
  which: 'new' | 'all',
): Promise<Verified> {
  const { rows, unlogged } = await readRows(installation);
  if (unlogged > 0) findings.lost.push(`${unlogged} log entries of uploads`);
  const rowOf = new Map(rows.map((row) => [row.filename, row]));
  const known = new Set(ledger.documents.map(({ filename }) => filename));
  for (const { filename } of rows) findings.expect(known.has(filename), `${filename} came from nowhere`);

  const savedUnanswered = ledger.documents.filter(
    ({ state, filename }) => state === 'uploading' && rowOf.has(filename),
  ).length;
  for (const document of ledger.documents) compareWithRow(document, rowOf.get(document.filename), findings);

  const kept = ledger.documents.filter(({ state }) => state === 'kept');
  const toRead = new Set(kept.filter(({ isRead }) => which === 'all' || !isRead));
  const names = new Set([...toRead].map(({ filename }) => filename));
  const leftovers = await compareObjects(installation, rows, ({ filename }) => names.has(filename), findings);
  for (const document of toRead) {
    await fetchDocument(installation, document, findings);
    document.isRead = true;
  }

  await compareCustomers(installation, ledger, findings);
  await compareSessions(installation, which === 'all' ? ledger.tokens : ledger.tokens.slice(-5), findings);
  const { body } = await installation.admin.get('/api/documents?limit=1');
  if (body.total !== rows.length)
    findings.lost.push(`the total says ${body.total} of ${rows.length} documents`);
  return { leftovers, savedUnanswered };
}
