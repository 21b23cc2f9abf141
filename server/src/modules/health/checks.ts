import { sql } from 'kysely';
import type { Deps } from '../../core/deps.ts';
import { migrationCheck } from '../../db/migrate.ts';
import { type Remembered, remembered } from './remembered.ts';

export type HealthCheck = Remembered<boolean>;

export type HealthChecks = {
  database: HealthCheck;
  storage: HealthCheck;
  /** Whether requests should be sent here. */
  ready: HealthCheck;
};

export async function createHealthChecks(deps: Deps): Promise<HealthChecks> {
  const isMigrated = await migrationCheck(deps.db);
  const askDatabase = { forMs: 1_000, withinMs: 3_000, otherwise: false };
  const askStorage = { forMs: 3_000, withinMs: 5_000, otherwise: false };
  const usable = remembered(isMigrated, askDatabase);
  return {
    database: remembered(() => sql`select 1`.execute(deps.db).then(() => true), askDatabase),
    storage: remembered(() => deps.storage.checkHealth().then(() => true), askStorage),
    ready: async () => !deps.stopping.aborted && (await usable()) && !deps.stopping.aborted,
  };
}
