import type { Deps, JobDeps } from '../../../core/deps.ts';
import { limitTime } from '../../../core/time-limit.ts';
import type { Job } from '../../../jobs/job.ts';
import { wake } from '../../../jobs/queue.ts';
import { extractWaitingTexts, recogniseWaitingPictures } from './backlog.ts';

// A backlog may take days, but a run must not. The schedule starts the next run.
const maxRunMs = 60_000;

async function withTimeLimit(deps: JobDeps, run: (deps: JobDeps) => Promise<void>): Promise<void> {
  using limit = limitTime(deps.stopping, maxRunMs);
  await run({ ...deps, stopping: limit.signal });
}

const recognisePicturesJob: Job<JobDeps, object> = {
  name: 'read-pictures',
  schedule: '* * * * *',
  canBeWoken: true,
  run: (deps) => withTimeLimit(deps, recogniseWaitingPictures),
};

const extractTextsJob: Job<JobDeps, object> = {
  name: 'extract-texts',
  schedule: '* * * * *',
  canBeWoken: true,
  async run(deps) {
    await withTimeLimit(deps, extractWaitingTexts);
    if (!deps.stopping.aborted) await wake(deps.db, recognisePicturesJob);
  },
};

export const textJobs = [extractTextsJob, recognisePicturesJob];

// Wakes the job once for many uploads.
const wakeDelayMs = 300;
const waking = new WeakSet<Deps>();

/** Call it after an upload. If the wake-up is lost, the schedule starts the job. */
export function wakeTextExtraction(deps: Deps): void {
  if (waking.has(deps)) return;
  waking.add(deps);
  const timer = setTimeout(() => {
    waking.delete(deps);
    wake(deps.db, extractTextsJob).catch((err: unknown) =>
      deps.log.warn({ err }, 'the job that extracts text was not woken; the schedule starts it'),
    );
  }, wakeDelayMs);
  timer.unref();
}
