import { expect, vi } from 'vitest';
import { createClient } from './client.ts';

export type MetricSamples = {
  text: string;
  names(): string[];
  /** By the name without our prefix and all its labels. */
  get(name: string, labels?: Record<string, string>): number | undefined;
};

const prefix = 'customer_database_';
const sample = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/;

const keyOf = (name: string, labels: Record<string, string>) =>
  `${name} ${JSON.stringify(Object.entries(labels).sort())}`;

function labelsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries([...pairs].map(([, name = '', value = '']) => [name, value]));
}

/** Parses Prometheus text format strictly. */
export function parseMetrics(text: string): MetricSamples {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# ')) continue;
    const [, name, labels = '', value] = sample.exec(line) ?? [];
    if (name === undefined || Number.isNaN(Number(value))) throw new Error(`not a figure: ${line}`);
    values.set(keyOf(name, labelsOf(labels)), Number(value));
  }
  return {
    text,
    names: () => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''),
    get: (name, labels = {}) => values.get(keyOf(prefix + name, labels)),
  };
}

export async function readMetrics({ url }: { url: string }): Promise<MetricSamples> {
  const answer = await createClient(url).get('/metrics');
  if (answer.status !== 200) throw new Error(`no figures: ${answer.status}`);
  return parseMetrics(answer.body);
}

/** Waits until so many uploads run. */
export async function waitForUploads(server: { url: string }, count: number): Promise<void> {
  const running = { kind: 'upload', state: 'running' };
  await vi.waitFor(
    async () => expect((await readMetrics(server)).get('concurrency_limit_usage', running)).toBe(count),
    10_000,
  );
}
