import { sql } from 'kysely';
import type { Deps } from '../../core/deps.ts';
import { migrationCheck } from '../../db/migrate.ts';
import { cached } from './cached.ts';

/** `ready` says whether load balancers should send requests to this server. */
export async function createHealthChecks(deps: Deps) {
  const isMigrated = await migrationCheck(deps.db);
  const databaseOptions = { ttlMs: 1_000, timeoutMs: 3_000, fallback: false };
  const storageOptions = { ttlMs: 3_000, timeoutMs: 5_000, fallback: false };
  const isUsable = cached(isMigrated, databaseOptions);
  return {
    database: cached(() => sql`select 1`.execute(deps.db).then(() => true), databaseOptions),
    storage: cached(() => deps.storage.checkHealth().then(() => true), storageOptions),
    ready: async () => !deps.stopping.aborted && (await isUsable()) && !deps.stopping.aborted,
  };
}
