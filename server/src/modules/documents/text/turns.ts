import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/client.ts';

/** Different processes read texts and pictures and make previews, so each kind has its turns. */
export type Turn = { kind: 'text' | 'pictures' | 'previews'; user: number };

/** The rows of a table that wait, and for which user each does. */
export type Queue = {
  kind: Turn['kind'];
  table: 'document_texts' | 'document_files';
  userColumn: string;
  condition: RawBuilder<unknown>;
};

/** The users whose documents wait, next turn first. Reads one row per user, however many documents the user has. */
export async function listUsersInTurn(db: Database, queue: Queue): Promise<number[]> {
  const { kind, condition } = queue;
  const [table, user] = [sql.table(queue.table), sql.ref(queue.userColumn)];
  const { rows } = await sql<{ id: number }>`
    with recursive waiting as (
      (select ${user} as id from ${table} where ${condition} order by ${user} limit 1)
      union all
      select (select ${user} from ${table} where ${condition} and ${user} > waiting.id order by ${user} limit 1)
      from waiting where waiting.id is not null
    )
    select id from waiting left join reading_turns on uploaded_by = id and reading_turns.kind = ${kind}
    where id is not null
    order by due_at nulls first`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Postpones the next turn of the user by the time that the work took. A user who returns after a week does not get the
 * unused turns of that week.
 */
export async function endTurn(db: Database, { kind, user }: Turn, now: Date, usedMs: number): Promise<void> {
  const used = sql`make_interval(secs => ${usedMs / 1000})`;
  await sql`
    insert into reading_turns (kind, uploaded_by, due_at) values (${kind}, ${user}, ${now}::timestamptz + ${used})
    on conflict (kind, uploaded_by) do update
    set due_at = greatest(reading_turns.due_at, ${now}) + ${used}`.execute(db);
}
