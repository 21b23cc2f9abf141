import type { TestApp } from '@customer-database/testkit/test-app';

/** Runs statements of an attacker who has the password of the database, and so can disable its triggers. */
export async function tamper(app: TestApp, statements: string): Promise<void> {
  await app.pool.query(
    `alter table activity disable trigger user; ${statements}; alter table activity enable trigger user`,
  );
}

/** Adds a row that the server did not write. */
export const forge = (app: TestApp, id: number | string) =>
  tamper(
    app,
    `insert into activity (id, at, action, actor_label, subject_type, shown, salt, mac) overriding system value
     values (${id}, now(), 'user.enabled', 'a forger', 'user', false, '', decode(md5('${id}'), 'hex'))`,
  );
