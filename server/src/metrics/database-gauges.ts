import { type Aggregator, Gauge, type Registry } from 'prom-client';
import { prefix } from './metrics.ts';

/** What the database knows; undefined while it is down. */
type Read<Stats> = () => Promise<Stats | undefined>;

/** Absent while `read` returns undefined. All processes read the same value, so that adding them up would be wrong. */
function watchValue(
  registry: Registry,
  name: string,
  help: string,
  read: Read<number>,
  aggregator: Aggregator = 'max',
): void {
  const gauge: Gauge<never> = new Gauge({
    name: prefix + name,
    help,
    registers: [registry],
    aggregator,
    async collect() {
      const value = await read();
      gauge.remove();
      if (value !== undefined) gauge.set(value);
    },
  });
}

/** The same with a value for each value of the label. */
function watchValues(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: Read<Record<string, number>>,
): void {
  const gauge: Gauge = new Gauge({
    name: prefix + name,
    help,
    registers: [registry],
    aggregator: 'max',
    labelNames: [label],
    async collect() {
      const values = await read();
      gauge.reset();
      for (const [of, value] of Object.entries(values ?? {})) gauge.set({ [label]: of }, value);
    },
  });
}

export type QueueStats = Record<'waiting' | 'running' | 'retrying' | 'failed' | 'oldestDueSeconds', number>;

export function watchQueue(registry: Registry, read: Read<QueueStats>): void {
  const isUp = async () => ((await read()) ? 1 : 0);
  const oldestDue = async () => (await read())?.oldestDueSeconds;
  const jobsByState = async () => {
    const { oldestDueSeconds: _, ...jobs } = (await read()) ?? { oldestDueSeconds: 0 };
    return jobs;
  };
  const jobsHelp = 'Jobs in the queue of all servers; failed ones are not retried. Counted up to 10,000';
  watchValue(registry, 'database_up', 'Whether the database answers: 1 or 0', isUp, 'min');
  watchValues(registry, 'jobs', jobsHelp, 'state', jobsByState);
  watchValue(registry, 'jobs_oldest_due_seconds', 'Delay of the job that has been due longest', oldestDue);
}

/** Undefined: never. */
export type MaintenanceStats = {
  lastBackupSeconds: number | undefined;
  lastCheckSeconds: number | undefined;
  lastCheckProblems: number | undefined;
};

export function watchMaintenance(registry: Registry, read: Read<MaintenanceStats>): void {
  const watch = (name: string, help: string, figure: keyof MaintenanceStats) =>
    watchValue(registry, name, help, async () => (await read())?.[figure]);
  watch('last_backup_timestamp_seconds', 'When the last backup was made, since 1970', 'lastBackupSeconds');
  watch(
    'last_check_timestamp_seconds',
    'When all documents were last checked, since 1970',
    'lastCheckSeconds',
  );
  watch('last_check_problems', 'Problems that the last check found and did not repair', 'lastCheckProblems');
}

type WaitingDocuments = { unread: number; pictures: number; previews: number };

export function watchWaitingDocuments(registry: Registry, read: Read<WaitingDocuments>): void {
  const help = 'Documents that await text extraction, OCR or their preview. Counted up to 10,000';
  watchValues(registry, 'documents_waiting', help, 'for', async () => {
    const waiting = await read();
    return waiting && { text: waiting.unread, pictures: waiting.pictures, previews: waiting.previews };
  });
}
