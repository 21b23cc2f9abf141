import type { JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import * as repo from './repo.ts';

/** In the background, because two transactions that add the same word would wait for each other. */
const collectWordsJob: Job<JobDeps, object> = {
  name: 'collect-words',
  schedule: '* * * * *',
  async run({ db, stopping }) {
    while (!stopping.aborted && (await repo.addWordsOfRecords(db)));
  },
};

/** Restarts the collection too, because the other job does not read edited records. */
const deleteUnusedWordsJob: Job<JobDeps, object> = {
  name: 'forget-words',
  schedule: '20 4 * * 0',
  async run({ db, stopping }) {
    let words = await repo.listWords(db, '');
    while (words.length > 0 && !stopping.aborted) {
      await repo.deleteUnusedWords(db, words);
      words = await repo.listWords(db, words.at(-1) ?? '');
    }
    if (!stopping.aborted) await repo.restartCollection(db);
  },
};

export const vocabularyJobs = [collectWordsJob, deleteUnusedWordsJob];
