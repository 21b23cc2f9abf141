import type pg from 'pg';
import type { Logger } from 'pino';
import { systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { deriveKeys } from './crypto/keys.ts';
import { keptSecretKey } from './crypto/secret-key.ts';
import { makeDataFolder } from './db/data-folder.ts';
import { type OpenOptions, openDatabase } from './db/open.ts';
import type { Deps } from './deps.ts';
import { createMailer } from './mail/mailer.ts';
import { openStorage } from './storage/open.ts';

export type OpenDeps = { deps: Deps; pool: pg.Pool; close(): Promise<void> };

export async function openDeps(config: Config, log: Logger, options: OpenOptions): Promise<OpenDeps> {
  await makeDataFolder(config.dataDir);
  const keys = deriveKeys(config.secretKey ?? (await keptSecretKey(config.dataDir)));
  const storage = await openStorage(config);
  const { pool, db, close } = await openDatabase(config, log, options);
  const mailer = config.smtp ? createMailer(config.smtp) : undefined;
  return {
    deps: { config, keys, db, storage, mailer, clock: systemClock, log, startedAt: systemClock.now() },
    pool,
    async close() {
      mailer?.close();
      await close();
      await storage.close();
    },
  };
}
