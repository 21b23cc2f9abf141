import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ActivityExportQuery, ExportFormat } from '@customer-database/contract/activity';
import { type Activity, activity } from '@customer-database/contract/activity-response';
import { stringify } from 'csv-stringify/sync';
import { sql } from 'kysely';
import type { Context } from '../../core/context.ts';
import { escapeFormula } from '../../core/csv-formulas.ts';
import type { Database } from '../../db/client.ts';
import { withOwnConnection } from '../../db/own-connection.ts';
import { recordActivity } from './commands.ts';
import { listFilters } from './list.ts';
import { type ActivityListFilters, allActivity, type ListedActivity } from './list-repo.ts';
import { presentActivity } from './present.ts';

// Formatting a batch blocks other requests.
const batchSize = 200;

const columns = activity.keyof().options;

function cellOf(value: Activity[keyof Activity]): string {
  if (value === null) return '';
  return escapeFormula(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const formats: Record<ExportFormat, { header: string; textOf(rows: Activity[]): string }> = {
  csv: {
    header: stringify([columns]),
    textOf: (rows) => stringify(rows.map((row) => columns.map((column) => cellOf(row[column])))),
  },
  jsonl: { header: '', textOf: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('') },
};

/** Uses a cursor, because one statement reads one snapshot, however long that takes. */
async function* readAll(
  db: Database,
  filters: ActivityListFilters,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { header, textOf } = formats[format];
  await sql`declare exported no scroll cursor for ${allActivity(db, filters)}`.execute(db);
  yield header;
  while (true) {
    const { rows } = await sql<ListedActivity>`fetch ${sql.lit(batchSize)} from exported`.execute(db);
    yield textOf(rows.map(presentActivity));
    if (rows.length < batchSize) return;
  }
}

/** Recorded before the first byte can be read. Destroying the stream ends the export. */
export async function exportActivity(
  ctx: Context,
  { format, ...query }: ActivityExportQuery,
): Promise<Readable> {
  const subject = { type: 'activity', id: null, label: null } as const;
  await recordActivity(ctx, 'activity.exported', subject, { format, ...query });
  const output = new PassThrough();
  withOwnConnection(ctx.deps.pool, ({ db }) =>
    db
      .transaction()
      .setAccessMode('read only')
      .execute((tx) => pipeline(readAll(tx, listFilters(ctx, query), format), output)),
  ).catch((error: Error) => output.destroy(error));
  // If the database fails, this throws while the server can still send an error response.
  await once(output, 'readable');
  return output;
}
