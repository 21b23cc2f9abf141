import { sql } from 'kysely';
import type { Database } from '../../../db/client.ts';

// Not the current time: of two concurrent attempts, the earlier may be counted last.
const notBlocked = new Date(0);

export async function findBlockedUntil(db: Database, key: string, now: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('throttles')
    .select('blocked_until')
    .where('key', '=', key)
    .where('blocked_until', '>', now)
    .executeTakeFirst();
  return row?.blocked_until;
}

type Failure = {
  key: string;
  now: Date;
  /** Failures before this time no longer count. */
  expiredBefore: Date;
  freeFailures: number;
  maxSeconds: number;
};

/** Counts a failure and sets the wait that follows. Returns false during a wait, and counts nothing. */
export async function countFailure(
  db: Database,
  { key, now, expiredBefore, freeFailures, maxSeconds }: Failure,
): Promise<boolean> {
  const counted = await sql`
    insert into throttles as kept (key, failures, last_failure_at, blocked_until)
    values (${key}, 1, ${now}, ${notBlocked})
    on conflict (key) do update set
      failures = case when kept.last_failure_at < ${expiredBefore} then 1 else kept.failures + 1 end,
      last_failure_at = ${now},
      blocked_until = case
        when kept.last_failure_at < ${expiredBefore} or kept.failures < ${freeFailures}
          then ${notBlocked}::timestamptz
        else ${now}::timestamptz
          + make_interval(secs => least(${maxSeconds}::numeric, 2::numeric ^ least(kept.failures - ${freeFailures}, 20)))
      end
    where kept.blocked_until <= ${now}
    returning failures`.execute(db);
  return counted.rows.length > 0;
}

/** Undoes one failure and the wait that it caused. */
export async function undoFailure(db: Database, key: string): Promise<void> {
  await db
    .updateTable('throttles')
    .set((eb) => ({
      failures: eb.fn('greatest', [eb('failures', '-', 1), eb.val(0)]),
      blocked_until: notBlocked,
    }))
    .where('key', '=', key)
    .execute();
}

export async function deleteFailures(db: Database, key: string): Promise<void> {
  await db.deleteFrom('throttles').where('key', '=', key).execute();
}

export async function deleteFailuresOf(db: Database, keys: string[], prefixes: string[]): Promise<void> {
  await db
    .deleteFrom('throttles')
    .where((eb) =>
      eb.or([
        eb('key', 'in', keys),
        ...prefixes.map((prefix) => eb(eb.fn('starts_with', ['key', eb.val(prefix)]), '=', true)),
      ]),
    )
    .execute();
}

export async function deleteFailuresBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('throttles').where('last_failure_at', '<', before).execute();
}
