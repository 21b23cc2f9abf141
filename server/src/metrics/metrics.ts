import type { Pool } from 'pg';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LimitUsage } from './concurrency-limit.ts';
import { version } from './version.ts';

export const prefix = 'customer_database_';

/** One registry per application, because tests run several in one process. */
export type Metrics = {
  registry: Registry;
  /** As Prometheus reads them; of all processes of this server. */
  render(): Promise<string>;
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
  observeStorage(operation: string, outcome: string, seconds: number): void;
  jobSeconds: Histogram<'job' | 'outcome'>;
  throttled: Counter<'kind'>;
  mails: Counter<'outcome'>;
  /** Adds a gauge that each scrape reads. */
  watch(name: string, help: string, read: () => number): void;
  watchLimit(kind: string, usage: () => LimitUsage): void;
};

function watchPool(pool: Pool, watch: Metrics['watch']): void {
  watch('database_pool_size', 'Connections to the database that may be open', () => pool.options.max);
  watch('database_pool_connections', 'Connections to the database that are open', () => pool.totalCount);
  watch('database_pool_idle_connections', 'Open connections that no request uses', () => pool.idleCount);
  watch('database_pool_waiting', 'Requests that wait for a connection', () => pool.waitingCount);
}

export function createMetrics(pool: Pool): Metrics {
  const registry = new Registry();
  const registers = [registry];

  const watch: Metrics['watch'] = (name, help, read) => {
    const gauge: Gauge = new Gauge({
      name: prefix + name,
      help,
      registers,
      collect: () => gauge.set(read()),
    });
  };
  watchPool(pool, watch);

  const limits: [kind: string, usage: () => LimitUsage][] = [];
  const limitUsage: Gauge<'kind' | 'state'> = new Gauge({
    name: `${prefix}concurrency_limit_usage`,
    help: 'Heavy work whose concurrency is limited',
    labelNames: ['kind', 'state'],
    registers,
    collect() {
      for (const [kind, usage] of limits) {
        const { running, waiting } = usage();
        limitUsage.set({ kind, state: 'running' }, running);
        limitUsage.set({ kind, state: 'waiting' }, waiting);
      }
    },
  });

  new Gauge({
    name: `${prefix}build_info`,
    help: 'Always 1; the labels name the versions',
    aggregator: 'first',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);

  const storageSeconds = new Histogram({
    name: `${prefix}storage_operation_duration_seconds`,
    help: 'Duration of calls of the document storage; of get until the first byte',
    labelNames: ['operation', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });

  return {
    registry,
    render: () => registry.metrics(),
    requestSeconds: new Histogram({
      name: `${prefix}http_request_duration_seconds`,
      help: 'From the arrival of a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    observeStorage: (operation, outcome, seconds) => storageSeconds.observe({ operation, outcome }, seconds),
    jobSeconds: new Histogram({
      name: `${prefix}job_duration_seconds`,
      help: 'Runs of jobs by this server',
      labelNames: ['job', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
      registers,
    }),
    throttled: new Counter({
      name: `${prefix}throttled_attempts_total`,
      help: 'Attempts with passwords and codes that were throttled (429)',
      labelNames: ['kind'],
      registers,
    }),
    mails: new Counter({
      name: `${prefix}mails_total`,
      help: 'Mails that the mail server accepted or refused',
      labelNames: ['outcome'],
      registers,
    }),
    watch,
    watchLimit: (kind, usage) => limits.push([kind, usage]),
  };
}
