import type { Database } from '../db/client.ts';
import { type AnyJob, createBoss, failedQueue, policyOf, queueOptions, tenYears } from './boss.ts';

/** Creates or upgrades the tables of the queue. The caller prevents that two servers do so at once. */
export async function installJobQueue(db: Database, jobs: AnyJob[]): Promise<void> {
  const boss = createBoss(db, { supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    const known = new Set((await boss.getQueues()).map(({ name }) => name));
    if (!known.has(failedQueue)) await boss.createQueue(failedQueue, { retentionSeconds: tenYears });
    for (const job of jobs.filter(({ name }) => !known.has(name))) {
      await boss.createQueue(job.name, { ...queueOptions(job), policy: policyOf(job) });
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
