import type { TestApp } from './test-app.ts';

export type ActivityRow = {
  id: number;
  at: Date;
  action: string;
  actor_id: number | null;
  actor_label: string;
  subject_type: string;
  subject_id: number | null;
  subject_label: string | null;
  address: string | null;
  request_id: string | null;
  detail: Record<string, unknown> | null;
  shown: boolean;
  customer_id: number | null;
  changes: Record<string, { from: unknown; to: unknown }> | null;
};

export async function lastActivityId(app: TestApp): Promise<number> {
  const { rows } = await app.pool.query('select coalesce(max(id), 0) as id from activity');
  return rows[0].id;
}

export async function activitySince(app: TestApp, id: number): Promise<ActivityRow[]> {
  const { rows } = await app.pool.query('select * from activity where id > $1 order by id', [id]);
  return rows;
}

/** Makes every write to the activity log fail until the returned function is called. */
export async function breakActivityLog(app: TestApp): Promise<() => Promise<void>> {
  await app.pool.query(`
    create function break_activity() returns trigger language plpgsql as $$ begin raise exception 'disk full'; end $$;
    create trigger break_activity before insert on activity for each row execute function break_activity()`);
  return async () => {
    await app.pool.query('drop trigger break_activity on activity; drop function break_activity');
  };
}

type Table = 'customers' | 'documents' | 'users' | 'sessions' | 'passkeys' | 'api_tokens';

/** Makes every transaction that changes one of the tables fail at commit until the returned function is called. */
export async function breakCommits(app: TestApp, ...tables: Table[]): Promise<() => Promise<void>> {
  const triggers = tables.map(
    (table) => `create constraint trigger break_commit after insert or update or delete on ${table}
      deferrable initially deferred for each row execute function break_commit()`,
  );
  await app.pool.query(`
    create function break_commit() returns trigger language plpgsql as $$ begin raise exception 'cut off'; end $$;
    ${triggers.join(';')}`);
  return async () => {
    await app.pool.query('drop function break_commit cascade');
  };
}
