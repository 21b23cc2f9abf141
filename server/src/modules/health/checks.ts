import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';

export type HealthCheck = () => Promise<boolean>;

/** Asks at most once in a while and once at a time: a thousand callers a second cost one question. */
function remembered(check: () => Promise<unknown>, forMs: number, timeoutMs: number): HealthCheck {
  let asked: Promise<boolean> | undefined;
  let askedAt = 0;
  return () => {
    if (!asked || Date.now() - askedAt > forMs) {
      askedAt = Date.now();
      const tooLate = new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false).unref());
      const answer = check().then(
        () => true,
        () => false,
      );
      asked = Promise.race([answer, tooLate]);
    }
    return asked;
  };
}

export function createHealthChecks(deps: Deps): { database: HealthCheck; storage: HealthCheck } {
  return {
    database: remembered(() => sql`select 1`.execute(deps.db), 1_000, 3_000),
    storage: remembered(() => deps.storage.checkHealth(), 3_000, 5_000),
  };
}
