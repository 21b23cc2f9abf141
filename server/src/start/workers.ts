import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import type { Deps } from '../core/deps.ts';
import type { HttpServer } from './http-server.ts';
import type { FromWorker, MetricValues, ToWorker } from './worker-messages.ts';

/** The worker has printed the reason. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
}

// A worker that fails at once is not started a hundred times a second.
const restartDelayMs = 500;
const metricsTimeoutMs = 2_000;

const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
const send = (worker: Worker, message: ToWorker) => worker.isConnected() && worker.send(message);
const sendToAll = (message: ToWorker) => workers().forEach((worker) => void send(worker, message));

/** Adds up the metrics of all processes. One that does not answer in time is left out. */
function metricsOfAll({ metrics }: Deps) {
  const pending = new Map<number, (values: MetricValues) => void>();
  let lastId = 0;

  function read(worker: Worker): Promise<MetricValues> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve([]), metricsTimeoutMs);
      pending.set(id, (values) => {
        clearTimeout(timer);
        pending.delete(id);
        resolve(values);
      });
      send(worker, { kind: 'read metrics', id });
    });
  }

  return {
    received: (id: number, values: MetricValues) => pending.get(id)?.(values),
    async render(): Promise<string> {
      const own = (await metrics.registry.getMetricsAsJSON()) as MetricValues;
      const all = await Promise.all(workers().map(read));
      return AggregatorRegistry.aggregate([own, ...all]).metrics();
    },
  };
}

/**
 * Serves requests in several processes that share a port: SERVER_PROCESSES of them, and one that dies is replaced. This
 * process keeps the embedded database and the jobs.
 */
export async function startWorkers(deps: Deps): Promise<HttpServer> {
  const { config, log, pool, stopping } = deps;
  const metrics = metricsOfAll(deps);
  let isClosing = false;

  function fork(): Worker {
    const worker = cluster.fork({ DATABASE_URL: pool.options.connectionString });
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'own metrics') metrics.received(message.id, message.values);
      if (message.kind === 'render metrics') {
        void metrics
          .render()
          .then((text) => send(worker, { kind: 'rendered metrics', id: message.id, text }));
      }
    });
    return worker;
  }

  function whenListening(worker: Worker): Promise<string> {
    return new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'listening') resolve(message.url);
      });
      worker.once('exit', () => reject(new WorkerFailed('a process of the server could not start')));
    });
  }

  async function replace(dead: Worker): Promise<void> {
    if (isClosing) return;
    const { signalCode, exitCode, pid } = dead.process;
    log.error({ worker: pid, reason: signalCode ?? exitCode }, 'a process of the server died: replacing it');
    await delay(restartDelayMs);
    if (!isClosing) fork();
  }

  async function close(): Promise<void> {
    isClosing = true;
    const exits = workers().map((worker) => once(worker, 'exit'));
    sendToAll({ kind: 'close' });
    await Promise.all(exits);
  }

  // Workers accept connections themselves. A connection that the first process hands to a worker that has just died
  // would stay open without an answer.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  stopping.addEventListener('abort', () => sendToAll({ kind: 'stopping' }));
  try {
    const url = await whenListening(fork());
    await Promise.all(Array.from({ length: config.processes - 1 }, () => whenListening(fork())));
    cluster.on('exit', (worker) => void replace(worker));
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
