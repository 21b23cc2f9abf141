import { hash, verify } from '@node-rs/argon2';
import { createConcurrencyLimit } from '../metrics/concurrency-limit.ts';

// The OWASP minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashing shares libuv's threads with file access: a concurrency of two leaves room for the rest. With a longer queue,
// browsers would time out.
const limit = createConcurrencyLimit({ concurrency: 2, maxWaiting: 100, maxWaitMs: 30_000 });

export const hashingUsage = limit.usage;

/** The same characters from different keyboards must give the same password. */
export const normalizePassword = (password: string) => password.normalize('NFKC');

export const isSamePassword = (one: string, other: string) =>
  normalizePassword(one) === normalizePassword(other);

export async function hashPassword(password: string): Promise<string> {
  return limit.run(() => hash(normalizePassword(password), cost));
}

// Of an unknown random password; verified for unknown users, so that timing does not reveal them.
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$HdqqXe3I3HxG0S2hCkbQKA$Jz/vGHKzdaIBhYA68xs4UH1Zru9TPt8pGurCvGGDE3E';

/** Takes the same time with and without a stored hash. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await limit.run(() => verify(stored ?? decoyHash, normalizePassword(password)));
  return stored !== undefined && matches;
}

export function needsRehash(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);
}
