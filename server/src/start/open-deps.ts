import { makeDataFolder } from '@customer-database/embedded-postgres/data-folder';
import type { Logger } from 'pino';
import { openConverter } from '../converter/open.ts';
import { systemClock } from '../core/clock.ts';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';
import { deriveKeys } from '../crypto/keys.ts';
import { loadSecretKey } from '../crypto/secret-key.ts';
import type { Database } from '../db/client.ts';
import { type OpenOptions, openDatabase } from '../db/open.ts';
import { installJobQueue } from '../jobs/install.ts';
import { createMailer } from '../mail/mailer.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { openScanner } from '../scanner/open.ts';
import { measuredStorage } from '../storage/measured.ts';
import { openStorage } from '../storage/open.ts';
import { jobs } from './jobs.ts';
import { openExtractors } from './open-extractors.ts';

export type OpenDeps = { deps: Deps; close(): Promise<void> };

export async function openDeps(
  config: Config,
  log: Logger,
  options: Omit<OpenOptions, 'migrateQueue'> & {
    stopping?: AbortSignal;
    /** Only the process that runs the jobs converts documents. */
    withConverter?: true;
  },
): Promise<OpenDeps> {
  const { stopping = new AbortController().signal } = options;
  await makeDataFolder(config.dataDir);
  const converter = options.withConverter && (await openConverter(config, stopping));
  const keys = deriveKeys(config.secretKey ?? (await loadSecretKey(config.dataDir)));
  const unmeasured = await openStorage(config);
  const migrateQueue = (db: Database) => installJobQueue(db, jobs);
  const { pool, db, close } = await openDatabase(config, log, { ...options, migrateQueue });
  const metrics = createMetrics(pool);
  const storage = measuredStorage(unmeasured, metrics.observeStorage);
  const mailer = config.smtp ? await createMailer(config.smtp, metrics) : undefined;
  const extractors = openExtractors(config, stopping);
  const clock = systemClock;
  const readers = { extractors, converter };
  const parts = { config, keys, db, pool, storage, mailer, ...readers, clock, log, metrics, stopping };
  return {
    deps: { ...parts, scanner: openScanner(config), startedAt: clock.now() },
    async close() {
      mailer?.close();
      await Promise.all([extractors.text.close(), extractors.pictures.close(), converter?.close()]);
      await close();
      await storage.close();
    },
  };
}
