import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export type HealthWatch = { asked: number; red: number; unanswered: number; slowestSeconds: number };

const intervalMs = 100;
const timeoutMs = 30_000;

/** Polls from its own thread, so that the load in this one does not look like a slow server. */
export function watchHealth(url: string): { stop(): Promise<HealthWatch> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: url });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage('stop');
      }),
  };
}

async function pollUntilStopped(url: string): Promise<void> {
  const seen: HealthWatch = { asked: 0, red: 0, unanswered: 0, slowestSeconds: 0 };
  let isStopped = false;
  parentPort?.once('message', () => {
    isStopped = true;
  });
  while (!isStopped) {
    const began = performance.now();
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
      () => undefined,
    );
    await answer?.arrayBuffer();
    seen.asked += 1;
    if (!answer) seen.unanswered += 1;
    else if (answer.status !== 200) seen.red += 1;
    seen.slowestSeconds = Math.max(seen.slowestSeconds, (performance.now() - began) / 1000);
    await delay(intervalMs);
  }
  parentPort?.postMessage(seen);
}

if (!isMainThread) await pollUntilStopped(workerData);
