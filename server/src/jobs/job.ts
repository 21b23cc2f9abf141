import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';

/** What the worker needs itself. A job gets a logger that names it, and learns of a shutdown by `stopping`. */
export type WorkerDeps = { log: Logger; metrics: Metrics; stopping: AbortSignal };

/** Declared once, by the module whose work it is. */
export type Job<Deps, Payload extends object> = {
  name: string;
  /** May run more than once for the same payload. */
  run(deps: Deps, payload: Payload): Promise<void>;
  /** A cron expression in UTC. Runs one at a time, and a failed run is not retried: the next one will come. */
  schedule?: string;
  /**
   * It may be woken between its scheduled runs. If it runs just then, it runs once more afterwards, perhaps on another
   * server meanwhile.
   */
  canBeWoken?: true;
};
