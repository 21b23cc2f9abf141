import type { Deps, JobDeps } from '../../core/deps.ts';
import { limitTime } from '../../core/time-limit.ts';
import type { Job } from '../../jobs/job.ts';
import { wake } from '../../jobs/queue.ts';

// A backlog may take days, but a run must not. The schedule starts the next run.
const maxRunMs = 60_000;

export async function withTimeLimit(deps: JobDeps, run: (deps: JobDeps) => Promise<void>): Promise<void> {
  using limit = limitTime(deps.stopping, maxRunMs);
  await run({ ...deps, stopping: limit.signal });
}

// Wakes the job once for many requests.
const wakeDelayMs = 300;

/** Returns what wakes the job soon. If the wake-up is lost, the schedule starts the job. */
export function createWaker(job: Job<JobDeps, object>): (deps: Deps) => void {
  const waking = new WeakSet<Deps>();
  return (deps) => {
    if (waking.has(deps)) return;
    waking.add(deps);
    const timer = setTimeout(() => {
      waking.delete(deps);
      wake(deps.db, job).catch((err: unknown) =>
        deps.log.warn({ err }, `the job ${job.name} was not woken; the schedule starts it`),
      );
    }, wakeDelayMs);
    timer.unref();
  };
}
