import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { normalizePassword } from './passwords.ts';

const productWords = [
  ...['customer', 'database', 'customers', 'documents'],
  ...['customerdatabase', 'customer database', 'customer-database'],
];

/** Why a password will not do: everybody uses it, or whoever knows the person or their words finds it soon. */
export type Weakness = 'common' | 'own' | 'guessable';

type Judge = { common: ReadonlySet<string>; zxcvbn: ZxcvbnFactory };

let judge: Promise<Judge> | undefined;

/** At the first use: the lists cost 20 MB and a tenth of a second, and most starts never need them. */
async function loadJudge(): Promise<Judge> {
  const { dictionary, adjacencyGraphs } = await import('@zxcvbn-ts/language-common');
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const passwords = dictionary['passwords-common'];
  return {
    common: new Set([...passwords, ...productWords].map((word) => word.toLowerCase())),
    // Each way to read a letter as another multiplies the work; ten are more than people use in one word.
    zxcvbn: new ZxcvbnFactory({
      dictionary: { passwords },
      graphs: adjacencyGraphs,
      l33tMaxSubstitutions: 10,
    }),
  };
}

/** Of a long one its beginning and its end: the work grows faster than the length, and these tell enough. */
function scoredPart(password: string): string {
  return password.length <= 64 ? password : password.slice(0, 48) + password.slice(-16);
}

/** Such as a year and a sign, behind a word. */
const suffix = /(?<=\p{L}.{2,})[\d\p{P}\p{S}\s]{1,5}$/u;

/**
 * A score of 0 or 1, and a word of a list or of their own with a few digits and signs behind it. What follows no
 * pattern at all is not judged: how long that has to be is said by the setting for the length.
 */
export async function weaknessOf(password: string, wordsOfPerson: string[]): Promise<Weakness | undefined> {
  judge ??= loadJudge();
  const { common, zxcvbn } = await judge;
  const plain = normalizePassword(password);
  if (common.has(plain.toLowerCase())) return 'common';
  const scored = scoredPart(plain);
  const ownWords = [...productWords, ...wordsOfPerson];
  const whole = zxcvbn.check(scored, ownWords);
  const stem = zxcvbn.check(scored.replace(suffix, ''), ownWords);
  const isPattern = whole.sequence.some(({ pattern }) => pattern !== 'bruteforce');
  const isWord = stem.sequence.length === 1 && stem.sequence[0]?.pattern === 'dictionary';
  if (!isWord && !(whole.score < 2 && isPattern)) return undefined;
  const isOwn = [...whole.sequence, ...stem.sequence].some((part) => part.dictionaryName === 'userInputs');
  return isOwn ? 'own' : 'guessable';
}
