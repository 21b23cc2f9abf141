import type { UserListQuery, UserOrder, UserState } from '@customer-database/contract/users';
import { sql } from 'kysely';
import type { Database } from '../../../db/client.ts';
import type { UserRow } from '../repo.ts';

/** Blocks other changes to users until the transaction ends. */
export async function lockUsers(db: Database): Promise<void> {
  await sql`lock table users in share row exclusive mode`.execute(db);
}

/** An expired temporary password blocks the sign-in, whether an invitation or a reset made it. */
const stateAt = (now: Date) => sql<UserState>`case
  when disabled_at is not null then 'disabled'
  when password_expires_at is null then 'active'
  when password_expires_at <= ${now} then 'expired'
  when joined_at is null then 'invited'
  else 'active' end`;

/** Locks every active admin, so that two concurrent removals cannot each leave the other as the last. */
export function lockAdmins(db: Database): Promise<Pick<UserRow, 'id' | 'password_expires_at'>[]> {
  return db
    .selectFrom('users')
    .select(['id', 'password_expires_at'])
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export function listActiveAdmins(db: Database, now: Date): Promise<UserRow[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('role', '=', 'admin')
    .where(stateAt(now), '=', 'active')
    .execute();
}

const selectManaged = (db: Database, now: Date) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'phone_number', 'role', 'last_seen_at', 'created_at'])
    .select('password_expires_at as expires_at')
    .select((eb) => eb('mfa_secret', 'is not', null).as('mfa_enabled'))
    .select((eb) =>
      eb
        .selectFrom('passkeys')
        .whereRef('passkeys.user_id', '=', 'users.id')
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('passkeys'),
    )
    .select(stateAt(now).as('state'));

export type ManagedUserRow = Awaited<ReturnType<typeof findManagedUser>> & object;

export function findManagedUser(db: Database, id: number, now: Date) {
  return selectManaged(db, now).where('id', '=', id).executeTakeFirst();
}

export function listAllUsers(db: Database, now: Date): Promise<ManagedUserRow[]> {
  return selectManaged(db, now).orderBy('email').execute();
}

const sortColumn = (sort: UserOrder) => (sort === 'name' ? sql`search_text(name)` : sql.ref(sort));

export async function listUsers(
  db: Database,
  { q, sort, order, page, limit }: UserListQuery,
  now: Date,
): Promise<{ users: ManagedUserRow[]; total: number }> {
  const term = q ? sql`search_text(${q})` : undefined;
  const matching = db
    .selectFrom(selectManaged(db, now).as('users'))
    .$if(term !== undefined, (query) =>
      query.where(
        sql<boolean>`(position(${term} in search_text(name)) > 0 or position(${term} in search_text(email)) > 0)`,
      ),
    );
  const users = await matching
    .selectAll()
    // In either order, users who never signed in come last.
    .orderBy(sql`${sortColumn(sort)} ${sql.raw(order)} nulls last`)
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { users, total };
}
