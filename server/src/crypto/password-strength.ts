import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { normalizePassword } from './passwords.ts';

const productWords = [
  ...['customer', 'database', 'customers', 'documents'],
  ...['customerdatabase', 'customer database', 'customer-database'],
];

/** Widely used, derived from personal data, or easy to guess. */
export type Weakness = 'common' | 'own' | 'guessable';

type Estimator = { common: ReadonlySet<string>; zxcvbn: ZxcvbnFactory };

let estimator: Promise<Estimator> | undefined;

/** On first use: the lists cost 20 MB and 100 ms, and most runs never need them. */
async function loadEstimator(): Promise<Estimator> {
  const { dictionary, adjacencyGraphs } = await import('@zxcvbn-ts/language-common');
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const passwords = dictionary['passwords-common'];
  return {
    common: new Set([...passwords, ...productWords].map((word) => word.toLowerCase())),
    // Each substitution multiplies the work; ten are more than people use in one word.
    zxcvbn: new ZxcvbnFactory({
      dictionary: { passwords },
      graphs: adjacencyGraphs,
      l33tMaxSubstitutions: 10,
    }),
  };
}

/** The start and end of a long password suffice; the work grows faster than the length. */
function scoredPart(password: string): string {
  return password.length <= 64 ? password : password.slice(0, 48) + password.slice(-16);
}

/** Such as a year and a sign after a word. */
const suffix = /(?<=\p{L}.{2,})[\d\p{P}\p{S}\s]{1,5}$/u;

/**
 * Rejects a score of 0 or 1, and a listed or personal word with a short suffix. Accepts whatever follows no
 * pattern: PASSWORD_MIN_LENGTH alone decides about its length.
 */
export async function weaknessOf(password: string, personalWords: string[]): Promise<Weakness | undefined> {
  estimator ??= loadEstimator();
  const { common, zxcvbn } = await estimator;
  const plain = normalizePassword(password);
  if (common.has(plain.toLowerCase())) return 'common';
  const scored = scoredPart(plain);
  const ownWords = [...productWords, ...personalWords];
  const whole = zxcvbn.check(scored, ownWords);
  const stem = zxcvbn.check(scored.replace(suffix, ''), ownWords);
  const isPattern = whole.sequence.some(({ pattern }) => pattern !== 'bruteforce');
  const isWord = stem.sequence.length === 1 && stem.sequence[0]?.pattern === 'dictionary';
  if (!isWord && !(whole.score < 2 && isPattern)) return undefined;
  const isOwn = [...whole.sequence, ...stem.sequence].some((part) => part.dictionaryName === 'userInputs');
  return isOwn ? 'own' : 'guessable';
}
