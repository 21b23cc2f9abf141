import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

// The OWASP floor for argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Hashing shares libuv's threads with file access: two at once leave room for the rest, and a
// queue without an end would only make everybody in it wait longer than a browser does.
const atOnce = pLimit(2);
const maxWaiting = 100;

/** Too many sign-ins are being checked right now. */
export class HashingBusyError extends Error {
  override name = 'HashingBusyError';
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (atOnce.pendingCount >= maxWaiting) throw new HashingBusyError('too many passwords to hash');
  return atOnce(work);
}

export const hashingSlots = () => ({ running: atOnce.activeCount, waiting: atOnce.pendingCount });

/** The same characters typed on different keyboards must give the same password. */
export const normalizePassword = (password: string) => password.normalize('NFKC');

export const isSamePassword = (one: string, other: string) =>
  normalizePassword(one) === normalizePassword(other);

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalizePassword(password), cost));
}

// Of a random password nobody knows; compared against when there is no user, to take as long.
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$HdqqXe3I3HxG0S2hCkbQKA$Jz/vGHKzdaIBhYA68xs4UH1Zru9TPt8pGurCvGGDE3E';

/** Takes the same time whether or not there is a hash to compare with. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? decoy, normalizePassword(password)));
  return stored !== undefined && matches;
}

export function needsRehash(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);
}
