import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is something, and gives up after a time that is far too long. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  withinMs: number,
): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  while (true) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > giveUpAt) throw new Error(`In vain waited ${withinMs / 1000} s until ${what}`);
    await delay(20);
  }
}

export const secondsSince = (start: number) => (performance.now() - start) / 1000;
