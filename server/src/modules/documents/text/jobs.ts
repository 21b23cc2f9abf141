import type { Deps, JobDeps } from '../../../core/deps.ts';
import type { Job } from '../../../jobs/job.ts';
import { wake } from '../../../jobs/queue.ts';
import { readWaitingPictures, readWaitingTexts } from './backlog.ts';

// The next run waits by then, and goes on. A backlog may take days: no run may.
const maxRunMs = 60_000;

const forAWhile = (deps: JobDeps): JobDeps => ({
  ...deps,
  stopping: AbortSignal.any([deps.stopping, AbortSignal.timeout(maxRunMs)]),
});

const readPicturesJob: Job<JobDeps, object> = {
  name: 'read-pictures',
  schedule: '* * * * *',
  canBeWoken: true,
  run: (deps) => readWaitingPictures(forAWhile(deps)),
};

const extractTextsJob: Job<JobDeps, object> = {
  name: 'extract-texts',
  schedule: '* * * * *',
  canBeWoken: true,
  async run(deps) {
    await readWaitingTexts(forAWhile(deps));
    if (!deps.stopping.aborted) await wake(deps.db, readPicturesJob);
  },
};

export const textJobs = [extractTextsJob, readPicturesJob];

// Many uploads at once wake the job once.
const wakeDelayMs = 300;
const waking = new WeakSet<Deps>();

/** After an upload. The database knows that the text is to be read: if this is lost, the schedule does it. */
export function wakeTextExtraction(deps: Deps): void {
  if (waking.has(deps)) return;
  waking.add(deps);
  const timer = setTimeout(() => {
    waking.delete(deps);
    wake(deps.db, extractTextsJob).catch((err: unknown) =>
      deps.log.warn({ err }, 'the text of new documents will be read later'),
    );
  }, wakeDelayMs);
  timer.unref();
}
