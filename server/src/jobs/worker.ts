import { setTimeout as delay } from 'node:timers/promises';
import { Logger as GraphileLogger, parseCronItems, type Runner, run, type TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { JobName, JobPayloads } from './queue.ts';

export type JobHandlers = { [N in JobName]: (payload: JobPayloads[N]) => Promise<void> };

export type JobWorker = { stop(): Promise<void> };

/** Payloads stay out of the log: the queue's own lines name the job and its error only. */
function loggerFor(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}

function startRunner(pool: pg.Pool, handlers: JobHandlers, log: Logger): Promise<Runner> {
  return run({
    pgPool: pool,
    concurrency: 2,
    pollInterval: 2_000,
    noHandleSignals: true,
    logger: loggerFor(log),
    taskList: handlers as TaskList,
    // Without these the outcome of a job is noted on the side: a stop would not wait for it, and a
    // database that is away at that moment would end the whole process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    parsedCronItems: parseCronItems([
      { task: 'sweep-objects', match: '17 3 * * *', options: { backfillPeriod: 0 } },
      { task: 'mark-pages', match: '*/10 * * * *', options: { backfillPeriod: 0 } },
      { task: 'forget-expired', match: '47 * * * *', options: { backfillPeriod: 0 } },
    ]),
  });
}

/** Works through the queue until stopped; a runner that gave up on a database that was away is replaced. */
export async function startJobWorker(pool: pg.Pool, handlers: JobHandlers, log: Logger): Promise<JobWorker> {
  const stopping = new AbortController();
  let runner = await startRunner(pool, handlers, log);

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await runner.promise;
        if (stopping.signal.aborted) return;
        await delay(2_000, undefined, { signal: stopping.signal });
        runner = await startRunner(pool, handlers, log);
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'the job worker ended; it will be started again');
        await delay(2_000, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }
  const done = keepRunning();

  return {
    async stop() {
      stopping.abort();
      await runner.stop().catch(() => undefined);
      await done;
    },
  };
}
