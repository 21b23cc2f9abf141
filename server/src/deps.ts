import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Keys } from './crypto/keys.ts';
import type { Database } from './db/client.ts';
import type { Mailer } from './mail/mailer.ts';
import type { ObjectStorage } from './storage/port.ts';

/** Everything the application is made of; nothing is global. */
export type Deps = {
  config: Config;
  keys: Keys;
  db: Database;
  storage: ObjectStorage;
  /** Undefined when no mail server is set up. */
  mailer: Mailer | undefined;
  clock: Clock;
  log: Logger;
  startedAt: Date;
};
