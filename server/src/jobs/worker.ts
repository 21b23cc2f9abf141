import type { Job as FetchedJob, JobResult } from 'pg-boss';
import type { Database } from '../db/client.ts';
import { createBoss, queueOptions, superviseSeconds } from './boss.ts';
import type { Job, WorkerDeps } from './job.ts';

export type JobWorker = { stop(): Promise<void> };

// Time for running jobs to finish at a shutdown; what takes longer is retried.
const stopTimeoutMs = 3_000;

/** Starts to work through the queue, and to enqueue the jobs that have a schedule. */
export async function startJobWorker<Deps extends WorkerDeps>(
  db: Database,
  deps: Deps,
  jobs: Job<Deps, never>[],
): Promise<JobWorker> {
  const { log, metrics } = deps;
  const stop = new AbortController();
  const stopping = AbortSignal.any([deps.stopping, stop.signal]);
  const boss = createBoss(db, {
    migrate: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 60,
  });
  let warnedAt = 0;
  boss.on('error', (error) => {
    // While the database is away, this happens several times a second.
    const isNews = Date.now() - warnedAt > 60_000;
    if (isNews) warnedAt = Date.now();
    log[isNews ? 'warn' : 'debug']({ err: error }, 'the job queue failed and will try again');
  });
  boss.on('warning', ({ message }) => log.warn(message));

  /** Settles the job at once: the others fetched with it may take longer. */
  async function runJob(job: Job<Deps, never>, fetched: FetchedJob<never>): Promise<JobResult> {
    const { id, data, retryCount } = fetched;
    const jobLog = log.child({ job: job.name, job_id: id, attempt: retryCount + 1 });
    const stopTimer = metrics.jobSeconds.startTimer({ job: job.name });
    try {
      await job.run({ ...deps, log: jobLog, stopping }, data);
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

  await boss.start();
  for (const job of jobs) {
    await boss.updateQueue(job.name, queueOptions(job));
    if (job.schedule !== undefined) await boss.schedule(job.name, job.schedule);
    const options = {
      batchSize: 5,
      burstWhenBatchFull: true,
      perJobResults: true,
      pollingIntervalSeconds: job.schedule === undefined ? 1 : 5,
      heartbeatRefreshSeconds: 5,
    } as const;
    await boss.work<never>(job.name, options, (fetched) =>
      Promise.all(fetched.map((each) => runJob(job, each))),
    );
  }
  return {
    async stop() {
      stop.abort();
      await boss.stop({ timeout: stopTimeoutMs });
    },
  };
}
