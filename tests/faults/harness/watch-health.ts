import { setTimeout as delay } from 'node:timers/promises';
import { secondsSince } from '@customer-database/testkit/until';

export type HealthWatch = { asked: number; red: number; unanswered: number; slowestSeconds: number };

const intervalMs = 100;
const timeoutMs = 30_000;

/** Polls `/health` until stopped. */
export function watchHealth(url: string): { stop(): Promise<HealthWatch> } {
  const seen: HealthWatch = { asked: 0, red: 0, unanswered: 0, slowestSeconds: 0 };
  let isStopped = false;

  async function poll(): Promise<HealthWatch> {
    while (!isStopped) {
      const began = performance.now();
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(`${url}/health`, { signal }).catch(() => undefined);
      await answer?.arrayBuffer();
      seen.asked += 1;
      if (!answer) seen.unanswered += 1;
      else if (answer.status !== 200) seen.red += 1;
      seen.slowestSeconds = Math.max(seen.slowestSeconds, secondsSince(began));
      await delay(intervalMs);
    }
    return seen;
  }
  const polling = poll();
  return {
    stop() {
      isStopped = true;
      return polling;
    },
  };
}
