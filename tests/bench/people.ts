import { sql } from 'kysely';
import type { Deps } from '../../server/src/core/deps.ts';
import { hashPassword } from '../../server/src/crypto/passwords.ts';
import { hashToken } from '../../server/src/crypto/tokens.ts';

/** A signed-in user who can also sign in again. */
export type Colleague = { id: number; email: string; token: string };

export const password = 'correct horse battery 1935';

/** All are admins, so that they may do everything. Those of an earlier run get new sessions. */
export async function signInColleagues({ db }: Deps, count: number): Promise<Colleague[]> {
  const password_hash = await hashPassword(password);
  const now = new Date();
  const inAnHour = new Date(now.getTime() + 3_600_000);
  const colleagues: Colleague[] = [];
  for (let number = 1; number <= count; number += 1) {
    const email = `bench${number}@example.com`;
    const row = { email, name: `Colleague ${number}`, role: 'admin' as const, password_hash };
    const { id } = await db
      .insertInto('users')
      .values({ ...row, created_at: now, updated_at: now })
      .onConflict((oc) => oc.column('email').doUpdateSet({ password_hash }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('sessions').where('user_id', '=', id).execute();
    const token = `bench-${number}-${now.getTime()}`;
    // In an hour: otherwise, on a slow machine, some requests would update it and others not.
    const session = { token_hash: hashToken(token), user_id: id, created_at: now, last_seen_at: inAnHour };
    await db
      .insertInto('sessions')
      .values({ ...session, expires_at: inAnHour, address: '127.0.0.1' })
      .execute();
    colleagues.push({ id, email, token });
  }
  await addEndedSessions(db, colleagues);
  return colleagues;
}

/** As many as after some weeks of use: for a few dozen PostgreSQL would not use an index. */
async function addEndedSessions(db: Deps['db'], colleagues: Colleague[]): Promise<void> {
  await sql`
    insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ended_at, address)
    select sha256(convert_to('ended ' || id || ' ' || number, 'UTF8')), id, past.at, past.at, past.at, past.at, '127.0.0.1'
    from unnest(${colleagues.map(({ id }) => id)}::bigint[]) as id, generate_series(1, 200) as number,
      (select now() - interval '40 days' as at) as past`.execute(db);
}
