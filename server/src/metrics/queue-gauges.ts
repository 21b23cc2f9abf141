import { Gauge, type Registry } from 'prom-client';
import { prefix } from './metrics.ts';

export type QueueStats = {
  waiting: number;
  running: number;
  retrying: number;
  failed: number;
  oldestDueSeconds: number;
};

/** `read` returns undefined if the database is down; then the job metrics are absent. */
export function watchQueue(registry: Registry, read: () => Promise<QueueStats | undefined>): void {
  const registers = [registry];
  const up: Gauge = new Gauge({
    name: `${prefix}database_up`,
    help: 'Whether the database answers: 1 or 0',
    registers,
    aggregator: 'min',
    collect: async () => up.set((await read()) ? 1 : 0),
  });
  const jobs: Gauge<'state'> = new Gauge({
    name: `${prefix}jobs`,
    help: 'Jobs in the queue of all servers; failed ones are not retried. Counted up to 10,000',
    labelNames: ['state'],
    registers,
    aggregator: 'max',
    async collect() {
      const found = await read();
      jobs.reset();
      if (!found) return;
      for (const state of ['waiting', 'running', 'retrying', 'failed'] as const) {
        jobs.set({ state }, found[state]);
      }
    },
  });
  const oldest: Gauge<never> = new Gauge({
    name: `${prefix}jobs_oldest_due_seconds`,
    help: 'Delay of the job that has been due longest',
    registers,
    aggregator: 'max',
    async collect() {
      const found = await read();
      oldest.remove();
      if (found) oldest.set(found.oldestDueSeconds);
    },
  });
}
