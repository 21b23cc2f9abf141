import type { Config } from '../../config.ts';
import { isCommonPassword } from '../../crypto/passwords.ts';
import { fieldError } from '../../http/errors.ts';

/** What the schema cannot know: the length that the setting asks for, and what everybody uses. */
export async function checkNewPassword(
  config: Config,
  password: string,
  field: 'password' | 'newPassword',
): Promise<void> {
  const label = field === 'password' ? 'Password' : 'New password';
  if ([...password].length < config.passwordMinLength) {
    throw fieldError(field, `${label} must be at least ${config.passwordMinLength} characters`);
  }
  if (await isCommonPassword(password)) {
    throw fieldError(field, 'This password is too common. Please choose another one.');
  }
}
