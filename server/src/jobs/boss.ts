import { type ConstructorOptions, fromKysely, PgBoss, type QueueOptions, type QueuePolicy } from 'pg-boss';
import type { Database } from '../db/client.ts';
import type { Job } from './job.ts';

/** Any job, where its payload does not matter. */
export type AnyJob = Job<never, never>;

/** Holds jobs whose last retry failed. */
export const failedQueue = 'failed';

const hour = 3_600;
const day = 24 * hour;
export const tenYears = 3_650 * day;

// Once the heartbeat of a killed server is this old, another server may take over its jobs.
const heartbeatSeconds = 30;
export const superviseSeconds = 10;

const always: QueueOptions = {
  heartbeatSeconds,
  // The most that pg-boss allows, because a backup may take hours. The heartbeat detects dead servers.
  expireInSeconds: day,
  retentionSeconds: tenYears,
  // Payloads hold names, addresses and sealed passwords.
  deleteAfterSeconds: 60,
};

export const queueOptions = ({ schedule }: AnyJob) =>
  schedule === undefined
    ? {
        ...always,
        // Spread over about three days.
        retryLimit: 24,
        retryDelay: 2,
        retryBackoff: true,
        retryDelayMax: 6 * hour,
        deadLetter: failedQueue,
      }
    : { ...always, retryLimit: 0 };

export function policyOf({ schedule, canBeWoken }: AnyJob): QueuePolicy {
  if (schedule === undefined) return 'standard';
  // At most one job waits. Jobs that run at the same time divide their work themselves.
  return canBeWoken ? 'short' : 'exclusive';
}

/** On the pool of the server, and so with its timeouts. */
export const createBoss = (db: Database, options: ConstructorOptions): PgBoss =>
  new PgBoss({ db: fromKysely(db), ...options });
