import type { Extractor } from '@customer-database/extractor/extractor';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Converter } from '../converter/port.ts';
import type { Keys } from '../crypto/keys.ts';
import type { Database } from '../db/client.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Scanner } from '../scanner/port.ts';
import type { ObjectStorage } from '../storage/port.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';

/** All parts of the application; there is no global state. */
export type Deps = {
  config: Config;
  keys: Keys;
  db: Database;
  /** For COPY and locks; everything else uses `db`. */
  pool: pg.Pool;
  storage: ObjectStorage;
  /** Undefined without a configured mail server. */
  mailer: Mailer | undefined;
  /** Undefined without a configured virus scanner. */
  scanner: Scanner | undefined;
  /** Two processes, so that slow OCR does not delay text. */
  extractors: { text: Extractor; pictures: Extractor };
  /** Undefined unless DOCX_PREVIEW is libreoffice, and in tools. */
  converter: Converter | undefined;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Aborted when shutdown begins. */
  stopping: AbortSignal;
  startedAt: Date;
};

/** Links in mails use `publicUrl`, which never comes from a request. */
export type JobDeps = Deps & { publicUrl: string };
