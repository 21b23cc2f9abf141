import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/client.ts';

/** Texts and pictures are read by different processes, and have separate turns. */
export type Turn = { kind: 'text' | 'pictures'; uploader: number };

/** The people whose documents wait. Looks at one document of each, however many they have. */
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
 * The person comes after all others for as long as reading the file took. Turns that were not used earlier do not count:
 * a person who returns after a week is not ahead by a week.
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
