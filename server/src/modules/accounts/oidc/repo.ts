import type { Database } from '../../../db/client.ts';
import type { UserRow } from '../repo.ts';

export type OidcSubject = { issuer: string; subject: string };

/** Locks the user until the transaction ends. */
export function lockLinkedUser(db: Database, { issuer, subject }: OidcSubject): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('company_issuer', '=', issuer)
    .where('company_subject', '=', subject)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
