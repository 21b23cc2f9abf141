import { createClamdScanner } from './clamd.ts';
import type { Scanner } from './port.ts';

type Settings = { clamdUrl: string | undefined; requestTimeoutMs: number };

/** Undefined when none is set up. */
export function openScanner({ clamdUrl, requestTimeoutMs }: Settings): Scanner | undefined {
  if (!clamdUrl) return undefined;
  // Whoever waits for a verdict must hear that there is none before the connection counts as dead.
  const answerWithinMs = Math.min(30_000, requestTimeoutMs / 2);
  return createClamdScanner(clamdUrl, { connectWithinMs: Math.min(5_000, answerWithinMs), answerWithinMs });
}
