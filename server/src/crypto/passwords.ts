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
const normalize = (password: string) => password.normalize('NFKC');

export const isSamePassword = (one: string, other: string) => normalize(one) === normalize(other);

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalize(password), cost));
}

// Of a random password nobody knows; compared against when there is no user, to take as long.
const decoy =
  '$argon2id$v=19$m=19456,t=2,p=1$HdqqXe3I3HxG0S2hCkbQKA$Jz/vGHKzdaIBhYA68xs4UH1Zru9TPt8pGurCvGGDE3E';

/** Takes the same time whether or not there is a hash to compare with. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? decoy, normalize(password)));
  return stored !== undefined && matches;
}

export function needsRehash(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`);
}

const ownWords = ['customerdatabase', 'customer database', 'customer-database', 'customers', 'documents'];

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set([...dictionary['passwords-common'], ...ownWords].map((word) => word.toLowerCase()));
}

/** One of the tens of thousands most used anywhere, or a word of this product. */
export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords();
  return (await commonPasswords).has(normalize(password).toLowerCase());
}
