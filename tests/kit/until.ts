import { setTimeout as delay } from 'node:timers/promises';

/** Polls until the answer is neither undefined nor false; throws after a generous timeout. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs: number,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (true) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`Timed out after ${timeoutMs / 1000} s waiting until ${what}`);
    await delay(20);
  }
}

export const secondsSince = (start: number) => (performance.now() - start) / 1000;
