import type { Deps } from '../../../server/src/core/deps.ts';
import { removeNote } from '../../../server/src/modules/activity/seals/note.ts';
import { sealActivity } from '../../../server/src/modules/activity/seals/seal.ts';

export type Sealing = { seconds: number; megabytes: Record<'table' | 'indexes' | 'seals', number> };

/** Seals the whole log anew. */
export async function measureSealing(deps: Deps): Promise<Sealing> {
  await deps.pool.query('truncate activity_seals');
  await removeNote(deps.config.dataDir);
  const began = performance.now();
  await sealActivity(deps);
  const seconds = (performance.now() - began) / 1000;
  const { rows } = await deps.pool.query<Sealing['megabytes']>(
    `select pg_table_size('activity')::float8 / 1e6 as table, pg_indexes_size('activity')::float8 / 1e6 as indexes,
       pg_total_relation_size('activity_seals')::float8 / 1e6 as seals`,
  );
  return { seconds, megabytes: rows[0] ?? { table: 0, indexes: 0, seals: 0 } };
}
