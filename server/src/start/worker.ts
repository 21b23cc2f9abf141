import type { Logger } from 'pino';
import type { Config } from '../core/config.ts';
import { shareLimits } from '../metrics/concurrency-limit.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { startHttpServer } from './http-server.ts';
import { openDeps } from './open-deps.ts';
import type { FromWorker, MetricValues, ToWorker } from './worker-messages.ts';

const send = (message: FromWorker) => void process.send?.(message);
const onMessage = (listener: (message: ToWorker) => void) => process.on('message', listener);

/** The metrics of all processes, which the first process adds up. */
function shareMetrics({ registry }: Metrics): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>();
  let lastId = 0;
  onMessage(async (message) => {
    if (message.kind === 'read metrics') {
      const values = (await registry.getMetricsAsJSON()) as MetricValues;
      send({ kind: 'own metrics', id: message.id, values });
    }
    if (message.kind === 'rendered metrics') {
      waiting.get(message.id)?.(message.text);
      waiting.delete(message.id);
    }
  });
  return () =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      send({ kind: 'render metrics', id: lastId });
    });
}

/** One of several processes that serve requests. The first process decides when it ends. */
export async function runWorker(config: Config, log: Logger): Promise<void> {
  // Terminals and service managers send a signal to all processes, but only the first one knows the order of the stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  // The first process has died, and its database with it.
  process.on('disconnect', () => process.exit(1));

  const stopping = new AbortController();
  let close = async (): Promise<void> => undefined;
  onMessage(async ({ kind }) => {
    if (kind === 'stopping' || kind === 'close') stopping.abort();
    if (kind !== 'close') return;
    await close();
    process.exit(0);
  });

  shareLimits(config.processes);
  const { deps, close: closeDeps } = await openDeps(config, log, {
    asTool: false,
    stopping: stopping.signal,
  });
  const metrics = { ...deps.metrics, render: shareMetrics(deps.metrics) };
  const http = await startHttpServer({ ...deps, metrics });
  close = async () => {
    await http.close();
    await closeDeps();
  };
  send({ kind: 'listening', url: http.url });
}
