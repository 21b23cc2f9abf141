import type { Context } from '../../core/context.ts';
import { AppError } from '../../http/errors.ts';

export function emailTaken(): AppError {
  const text = 'A user with this email already exists';
  return new AppError('EMAIL_TAKEN', text, { fields: { email: text } });
}

export const userNotFound = () => new AppError('NOT_FOUND', 'User not found');

export const passwordSignInOff = ({ deps: { config } }: Context) =>
  new AppError('PASSWORD_SIGN_IN_OFF', `Please sign in with ${config.oidc?.name}`);
