import type { Job as FetchedJob, JobResult } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../db/client.ts';
import { createBoss, queueOptions, superviseSeconds } from './boss.ts';
import type { Job, WorkerDeps } from './job.ts';

export type JobWorker<Deps> = {
  /** Starts running jobs. Works while the database is down. */
  start(deps: Deps): Promise<void>;
  stop(): Promise<void>;
};

// How long a shutdown waits for running jobs; longer ones are retried.
const stopTimeoutMs = 3_000;

const workOptions = {
  batchSize: 5,
  burstWhenBatchFull: true,
  perJobResults: true,
  heartbeatRefreshSeconds: 5,
} as const;

/** Updates queues and schedules, and starts to enqueue scheduled jobs. */
export async function openJobWorker<Deps extends WorkerDeps>(
  db: Database,
  log: Logger,
  jobs: Job<Deps, never>[],
): Promise<JobWorker<Deps>> {
  const stopped = new AbortController();
  const boss = createBoss(db, {
    migrate: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 60,
  });
  let warnedAt = 0;
  boss.on('error', (error) => {
    // While the database is down, this happens several times a second.
    const isWarning = Date.now() - warnedAt > 60_000;
    if (isWarning) warnedAt = Date.now();
    log[isWarning ? 'warn' : 'debug']({ err: error }, 'the job queue failed and will try again');
  });
  boss.on('warning', ({ message }) => log.warn(message));

  /** Settles the job at once, because others of its batch may take longer. */
  async function runJob(job: Job<Deps, never>, deps: Deps, fetched: FetchedJob<never>): Promise<JobResult> {
    const { id, data, retryCount } = fetched;
    const jobLog = deps.log.child({ job: job.name, job_id: id, attempt: retryCount + 1 });
    const stopTimer = deps.metrics.jobSeconds.startTimer({ job: job.name });
    try {
      await job.run({ ...deps, log: jobLog }, data);
      const seconds = stopTimer({ outcome: 'done' });
      jobLog.debug({ ms: Math.round(seconds * 1000) }, 'job done');
    } catch (error) {
      stopTimer({ outcome: 'failed' });
      jobLog.error({ err: error }, 'job failed');
      const output = { error: error instanceof Error ? error.message : String(error) };
      await boss.fail(job.name, fetched, output).catch(() => undefined);
      return { id, status: 'failed', output };
    }
    await boss.complete(job.name, fetched).catch(() => undefined);
    return { id, status: 'completed' };
  }

  try {
    await boss.start();
    for (const job of jobs) {
      await boss.updateQueue(job.name, queueOptions(job));
      if (job.schedule !== undefined) await boss.schedule(job.name, job.schedule);
    }
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return {
    async start(deps) {
      const stopping = AbortSignal.any([deps.stopping, stopped.signal]);
      for (const job of jobs) {
        const pace =
          job.schedule === undefined
            ? // A job that hangs must not delay all others of its kind.
              { localConcurrency: 3, pollingIntervalSeconds: 1 }
            : { pollingIntervalSeconds: job.canBeWoken ? 1 : 5 };
        await boss.work<never>(job.name, { ...workOptions, ...pace }, (fetched) =>
          Promise.all(fetched.map((each) => runJob(job, { ...deps, stopping }, each))),
        );
      }
    },
    async stop() {
      stopped.abort();
      await boss.stop({ timeout: stopTimeoutMs });
    },
  };
}
