import { Gauge, type Registry } from 'prom-client';
import { prefix } from './metrics.ts';

/** Undefined: never, or unknown because the database is down. */
export type MaintenanceStats = {
  lastBackupSeconds: number | undefined;
  lastCheckSeconds: number | undefined;
  lastCheckProblems: number | undefined;
};

export function watchMaintenance(
  registry: Registry,
  read: () => Promise<MaintenanceStats | undefined>,
): void {
  const watch = (name: string, help: string, figure: keyof MaintenanceStats) => {
    const gauge: Gauge<never> = new Gauge({
      name: prefix + name,
      help,
      registers: [registry],
      aggregator: 'max',
      async collect() {
        const value = (await read())?.[figure];
        gauge.remove();
        if (value !== undefined) gauge.set(value);
      },
    });
  };
  watch('last_backup_timestamp_seconds', 'When the last backup was made, since 1970', 'lastBackupSeconds');
  watch(
    'last_check_timestamp_seconds',
    'When all documents were last checked, since 1970',
    'lastCheckSeconds',
  );
  watch('last_check_problems', 'Problems that the last check found and did not repair', 'lastCheckProblems');
}
