import { openSocket, parseAnswer, readToEnd } from '@customer-database/testkit/raw-http';
import type { TestApp } from '@customer-database/testkit/test-app';

/** CPU time of this thread, which runs the server; a busy machine does not distort it. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Polls the server while it reads these requests, sent at once: the longest block, and the statuses. */
async function longestBlock(
  app: TestApp,
  requests: Buffer[],
): Promise<{ blockedMs: number; statuses: number[] }> {
  const sockets = await Promise.all(requests.map(() => openSocket(app.url)));
  let areAnswered = false;
  const answers = Promise.all(sockets.map(readToEnd)).finally(() => {
    areAnswered = true;
  });
  for (const [index, socket] of sockets.entries()) socket.write(requests[index] ?? '');
  let blockedMs = 0;
  while (!areAnswered) {
    const start = threadCpuMs();
    await (await fetch(`${app.url}/health/live`)).text();
    blockedMs = Math.max(blockedMs, threadCpuMs() - start);
  }
  return { blockedMs, statuses: (await answers).map((answer) => parseAnswer(answer).status) };
}

/** Garbage collection may slow single runs: the best of three counts. */
export async function expectNoBlock(app: TestApp, requests: Buffer[], status: number): Promise<void> {
  const runs: number[] = [];
  for (let tries = 0; tries < 3 && !runs.some((ms) => ms < 200); tries += 1) {
    const { blockedMs, statuses } = await longestBlock(app, requests);
    for (const each of statuses)
      if (each !== status) throw new Error(`answered ${each} instead of ${status}`);
    runs.push(blockedMs);
  }
  const best = Math.min(...runs);
  if (best >= 200) throw new Error(`other requests waited ${Math.round(best)} ms`);
}
