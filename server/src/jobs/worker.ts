import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CronItem,
  Logger as GraphileLogger,
  type Job,
  parseCronItems,
  type Runner,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from 'pino';
import { forgetPastTurns, renewEveryMs, renewHold } from './abandoned.ts';
import { endForSure } from './ending.ts';
import type { JobName, JobPayloads } from './queue.ts';

export type JobRun = {
  /** Names the job in every line. */
  log: Logger;
  /** Says that the server was told to stop: what takes long gives up then and is done another time. */
  signal: AbortSignal;
};

export type JobHandlers = { [N in JobName]: (payload: JobPayloads[N], run: JobRun) => Promise<void> };

export type JobWorker = { stop(): Promise<void> };

const logFields = ({ id, task_identifier, attempts }: Job) => ({
  job: task_identifier,
  job_id: id,
  attempt: attempts,
});

/** Payloads stay out of the log: the queue's own lines name the job and its error only. */
function loggerFor(log: Logger): GraphileLogger {
  return new GraphileLogger(() => (level, message, meta) => {
    const { job, error, duration } = (meta ?? {}) as { job?: Job; error?: unknown; duration?: number };
    const fields = job ? { ...logFields(job), ms: duration && Math.round(duration) } : {};
    if (job && error) log.error({ ...fields, err: error }, 'job failed');
    else if (level === 'error') log.error(fields, message);
    else if (level === 'warning') log.warn(fields, message);
    else log.debug(fields, message);
  });
}

type Tasks = { list: TaskList; areIdle(): boolean };

function tasksOf(handlers: JobHandlers, log: Logger, signal: AbortSignal): Tasks {
  let running = 0;
  const asTask =
    (handle: (payload: never, run: JobRun) => Promise<void>): Task =>
    async (payload, { job }) => {
      running += 1;
      try {
        await handle(payload as never, { log: log.child(logFields(job)), signal });
      } finally {
        running -= 1;
      }
    };
  const list = Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, asTask(handle)]));
  return { list, areIdle: () => running === 0 };
}

/** What may take hours is not begun again meanwhile, nor piles up. */
const oneAtATime = (name: string) => ({
  backfillPeriod: 0,
  maxAttempts: 1,
  queueName: name,
  jobKey: name,
});

const timetable: (CronItem & { task: JobName })[] = [
  { task: 'sweep-objects', match: '17 3 * * *', options: { backfillPeriod: 0 } },
  { task: 'backup-if-due', match: '*/10 * * * *', options: oneAtATime('backup') },
  { task: 'check-if-due', match: '5,15,25,35,45,55 * * * *', options: oneAtATime('check') },
  { task: 'forget-expired', match: '47 * * * *', options: { backfillPeriod: 0 } },
];
const comeByTheClock = timetable.map(({ task }) => task);

async function keepOrder(pool: pg.Pool, holder: string, log: Logger): Promise<void> {
  await renewHold(pool, holder, log);
  await forgetPastTurns(pool, comeByTheClock);
}

type Started = {
  runner: Runner;
  /** It gave up and has ended, or takes long for it. */
  needsReplacing: Promise<void>;
};

async function startRunner(
  pool: pg.Pool,
  tasks: Tasks,
  log: Logger,
  stopping: AbortSignal,
): Promise<Started> {
  const events: WorkerEvents = new EventEmitter();
  let renewing: NodeJS.Timeout | undefined;
  events.once('pool:create', ({ workerPool }) => {
    const hold = () =>
      keepOrder(pool, workerPool.id, log).catch((error: unknown) =>
        log.debug({ err: error }, 'the hold on jobs was not renewed'),
      );
    renewing = setInterval(hold, renewEveryMs).unref();
    void hold();
  });
  const takesLong = endForSure(events, tasks.areIdle, stopping);
  const letGo = () => clearInterval(renewing);
  const runner = await run({
    pgPool: pool,
    events,
    // A backup and a check may take hours: two are left for what is quick.
    concurrency: 4,
    pollInterval: 2_000,
    noHandleSignals: true,
    logger: loggerFor(log),
    taskList: tasks.list,
    // Without these the outcome of a job is noted on the side: a stop would not wait for it, and a
    // database that is away at that moment would end the whole process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    parsedCronItems: parseCronItems(timetable),
  }).catch((error: unknown) => {
    letGo();
    throw error;
  });
  const hasEnded = runner.promise.then(letGo, letGo);
  return { runner, needsReplacing: Promise.race([hasEnded, takesLong]) };
}

/**
 * Works through the queue until stopped; a runner that gave up on a database that was away is replaced. `told` says
 * that a stop will come: long jobs give up from then on, so that it does not have to wait for them.
 */
export async function startJobWorker(
  pool: pg.Pool,
  handlers: JobHandlers,
  log: Logger,
  told: AbortSignal,
): Promise<JobWorker> {
  const stopping = new AbortController();
  const tasks = tasksOf(handlers, log, AbortSignal.any([told, stopping.signal]));
  const running = new Set<Runner>();

  async function start(): Promise<Started> {
    const started = await startRunner(pool, tasks, log, stopping.signal);
    const { runner } = started;
    running.add(runner);
    const forget = () => running.delete(runner);
    runner.promise.then(forget, forget);
    return started;
  }
  async function endAll(): Promise<void> {
    await Promise.allSettled([...running].flatMap((runner) => [runner.stop(), runner.promise]));
  }

  let current = await start();

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await current.needsReplacing;
        if (stopping.signal.aborted) return;
        await delay(2_000, undefined, { signal: stopping.signal });
        current = await start();
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
      await endAll();
      await done;
      // One may have been starting just then.
      await endAll();
    },
  };
}
