import type pg from 'pg';
import type { Logger } from 'pino';
import type { Keys } from '../crypto/keys.ts';
import type { Database } from '../db/client.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Scanner } from '../scanner/port.ts';
import type { ObjectStorage } from '../storage/port.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';

/** Everything the application is made of; nothing is global. */
export type Deps = {
  config: Config;
  keys: Keys;
  db: Database;
  /** For work that speaks to PostgreSQL itself; everything else goes through `db`. */
  pool: pg.Pool;
  storage: ObjectStorage;
  /** Undefined when no mail server is set up. */
  mailer: Mailer | undefined;
  /** Undefined when no virus scanner is set up. */
  scanner: Scanner | undefined;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Aborted from the moment the server was told to stop. */
  stopping: AbortSignal;
  startedAt: Date;
};
