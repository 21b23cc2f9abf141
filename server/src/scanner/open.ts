import { createClamdScanner } from './clamd.ts';
import type { Scanner } from './port.ts';

type Settings = { clamdUrl: string | undefined; requestTimeoutMs: number };

export function openScanner({ clamdUrl, requestTimeoutMs }: Settings): Scanner | undefined {
  if (!clamdUrl) return undefined;
  // Times out before the upload does.
  const answerMs = Math.min(30_000, requestTimeoutMs / 2);
  return createClamdScanner(clamdUrl, { connectMs: Math.min(5_000, answerMs), answerMs });
}
