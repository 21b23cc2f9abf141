import type { JobDeps } from '../../core/deps.ts';
import type { Job } from '../../jobs/job.ts';
import * as repo from './repo.ts';

/** In the background: nobody who saves a record waits for somebody else who saves the same word. */
const collectWordsJob: Job<JobDeps, object> = {
  name: 'collect-words',
  schedule: '* * * * *',
  async run({ db, stopping }) {
    while (!stopping.aborted && (await repo.addWordsOfRecords(db)));
  },
};

/** Words of deleted records go. Those of records that were edited are found when all are collected again. */
const forgetWordsJob: Job<JobDeps, object> = {
  name: 'forget-words',
  schedule: '20 4 * * 0',
  async run({ db, stopping }) {
    let words = await repo.listWords(db, '');
    while (words.length > 0 && !stopping.aborted) {
      await repo.deleteUnusedWords(db, words);
      words = await repo.listWords(db, words.at(-1) ?? '');
    }
    if (!stopping.aborted) await repo.collectAgain(db);
  },
};

export const vocabularyJobs = [collectWordsJob, forgetWordsJob];
