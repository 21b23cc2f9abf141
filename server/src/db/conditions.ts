import { type RawBuilder, sql } from 'kysely';

export type Days = { from?: string | null | undefined; to?: string | null | undefined; timeZone: string };

/** Days begin and end in the configured time zone. */
export function withinDays(column: string, { from, to, timeZone }: Days): RawBuilder<boolean> {
  const startOf = (day: RawBuilder<unknown>) => sql`(${day})::timestamp at time zone ${timeZone}::text`;
  return allOf([
    ...(from ? [sql<boolean>`${sql.ref(column)} >= ${startOf(sql`${from}::date`)}`] : []),
    ...(to ? [sql<boolean>`${sql.ref(column)} < ${startOf(sql`${to}::date + 1`)}`] : []),
  ]);
}

export const allOf = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql`${sql.join([sql`true`, ...conditions], sql` and `)}`;

export const anyOf = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql`(${sql.join([sql`false`, ...conditions], sql` or `)})`;
