import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/client.ts';

/** Different processes read texts and pictures, so each kind has its turns. */
export type Turn = { kind: 'text' | 'pictures'; uploader: number };

/** The users whose documents wait, next turn first. Reads one row per user, however many documents the user has. */
export async function listUploadersInTurn(
  db: Database,
  kind: Turn['kind'],
  condition: RawBuilder<unknown>,
): Promise<number[]> {
  const { rows } = await sql<{ uploaded_by: number }>`
    with recursive uploaders as (
      (select uploaded_by from document_texts where ${condition} order by uploaded_by limit 1)
      union all
      select (
        select next.uploaded_by from document_texts as next
        where ${condition} and next.uploaded_by > uploaders.uploaded_by order by next.uploaded_by limit 1
      )
      from uploaders where uploaders.uploaded_by is not null
    )
    select uploaders.uploaded_by from uploaders
    left join reading_turns on reading_turns.uploaded_by = uploaders.uploaded_by and kind = ${kind}
    where uploaders.uploaded_by is not null
    order by due_at nulls first`.execute(db);
  return rows.map(({ uploaded_by }) => uploaded_by);
}

/**
 * Postpones the next turn of the user by the time that the work took. A user who returns after a week does not get the
 * unused turns of that week.
 */
export async function endTurn(
  db: Database,
  { kind, uploader }: Turn,
  now: Date,
  usedMs: number,
): Promise<void> {
  const used = sql`make_interval(secs => ${usedMs / 1000})`;
  await sql`
    insert into reading_turns (kind, uploaded_by, due_at) values (${kind}, ${uploader}, ${now}::timestamptz + ${used})
    on conflict (kind, uploaded_by) do update
    set due_at = greatest(reading_turns.due_at, ${now}) + ${used}`.execute(db);
}
