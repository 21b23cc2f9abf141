import type { Config } from '../../../core/config.ts';
import { type Weakness, weaknessOf } from '../../../crypto/password-strength.ts';
import { fieldError } from '../../../http/errors.ts';

const advice = 'Several words that have nothing to do with each other make a good one.';

const texts: Record<Weakness, string> = {
  common: 'This password is too common. Please choose another one.',
  own: `This password is easy to guess from your name, your email or the name of this product. ${advice}`,
  guessable: `This password is too easy to guess. ${advice}`,
};

const maxWords = 20;

/** Name and email, whole and in parts. */
function guessableWords({ name, email }: { name: string; email: string }): string[] {
  const [local = '', domain = ''] = email.split('@');
  const parts = [name, local, domain].flatMap((text) => text.split(/[^\p{L}\p{N}]+/u));
  const joined = [name, local].map((text) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ''));
  const words = [name, email, local, ...joined, ...parts].map((word) => word.toLowerCase());
  return [...new Set(words)].filter((word) => word.length >= 3).slice(0, maxWords);
}

/** Checks the configured length and how easy the password is to guess, which the schema cannot. */
export async function checkNewPassword(
  config: Config,
  password: string,
  field: 'password' | 'newPassword',
  person: { name: string; email: string },
): Promise<void> {
  const label = field === 'password' ? 'Password' : 'New password';
  if ([...password].length < config.passwordMinLength) {
    throw fieldError(field, `${label} must be at least ${config.passwordMinLength} characters`);
  }
  const weakness = await weaknessOf(password, guessableWords(person));
  if (weakness) throw fieldError(field, texts[weakness]);
}
