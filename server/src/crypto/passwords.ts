import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

// The OWASP minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashing shares libuv's threads with file access: a concurrency of two leaves room for the rest, and an
// unbounded queue would only make everybody wait until the browser times out.
const hashLimit = pLimit(2);
const maxWaiting = 100;

/** The queue of passwords to hash is full. */
export class HashingBusyError extends Error {
  override name = 'HashingBusyError';
}

function limited<T>(work: () => Promise<T>): Promise<T> {
  if (hashLimit.pendingCount >= maxWaiting) throw new HashingBusyError('too many passwords to hash');
  return hashLimit(work);
}

export const hashingSlots = () => ({ running: hashLimit.activeCount, waiting: hashLimit.pendingCount });

/** The same characters from different keyboards must give the same password. */
export const normalizePassword = (password: string) => password.normalize('NFKC');

export const isSamePassword = (one: string, other: string) =>
  normalizePassword(one) === normalizePassword(other);

export async function hashPassword(password: string): Promise<string> {
  return limited(() => hash(normalizePassword(password), cost));
}

// Of an unknown random password; verified for unknown users, so that timing does not reveal them.
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$HdqqXe3I3HxG0S2hCkbQKA$Jz/vGHKzdaIBhYA68xs4UH1Zru9TPt8pGurCvGGDE3E';

/** Takes the same time with and without a stored hash. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await limited(() => verify(stored ?? decoyHash, normalizePassword(password)));
  return stored !== undefined && matches;
}

export function needsRehash(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);
}
