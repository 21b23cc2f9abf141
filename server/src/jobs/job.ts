import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';

/** The worker gives each job a logger with its name, and aborts `stopping` at shutdown. */
export type WorkerDeps = { log: Logger; metrics: Metrics; stopping: AbortSignal };

/** Each module declares its jobs. */
export type Job<Deps, Payload extends object> = {
  name: string;
  /** May run more than once for the same payload. */
  run(deps: Deps, payload: Payload): Promise<void>;
  /** A cron expression in UTC. One run at a time; a failed run is not retried before the next scheduled one. */
  schedule?: string;
  /** `wake` starts it between its scheduled runs. During a run, `wake` starts another one, perhaps on another server. */
  canBeWoken?: true;
};
