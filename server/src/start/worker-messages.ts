import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** What a worker sends to the first process. */
export type FromWorker =
  | { kind: 'listening'; url: string }
  /** Asks for the metrics of all processes. */
  | { kind: 'render metrics'; id: number }
  | { kind: 'own metrics'; id: number; values: MetricValues };

/** What the first process sends to a worker. */
export type ToWorker =
  | { kind: 'stopping' }
  | { kind: 'close' }
  | { kind: 'read metrics'; id: number }
  | { kind: 'rendered metrics'; id: number; text: string };
