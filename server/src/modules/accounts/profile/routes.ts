import * as contract from '@customer-database/contract/auth';
import { message } from '@customer-database/contract/fields';
import * as users from '@customer-database/contract/users';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { siteOf } from '../../../http/origin.ts';
import { ownAccount } from '../access-rules.ts';
import { ownCodeAttempts } from '../mfa/attempts.ts';
import { changePassword } from '../passwords/commands.ts';
import { presentUser } from '../present.ts';
import {
  type AttemptsOf,
  bodyFields,
  ownPasswordAttempts,
  throttleBeforeValidation,
} from '../throttle/throttle-before-validation.ts';
import { updateProfile } from './commands.ts';
import { confirmSession } from './confirm.ts';

const passwordOrCodeAttempts: AttemptsOf = (ctx, request) =>
  'code' in bodyFields(request) ? ownCodeAttempts(ctx, request) : ownPasswordAttempts(ctx, request);

export function profileRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/verify',
      config: { access: { ...ownAccount.always, anyToken: true } },
      schema: {
        operationId: 'getCurrentUser',
        tags: ['Account'],
        summary: 'Get the signed-in user',
        response: { 200: contract.verifyResponse },
      },
      handler: async (request) => ({ user: presentUser(signedInContextOf(deps, request).signedIn.user) }),
    });

    app.route({
      method: 'PUT',
      url: '/api/auth/profile',
      config: { access: 'profile.manage', errors: ['CONFIRMATION_REQUIRED', 'EMAIL_TAKEN'] },
      schema: {
        operationId: 'updateProfile',
        tags: ['Account'],
        summary:
          'Change your profile; a new email requires a recently confirmed session and ends your other sessions',
        body: users.profileInput,
        response: { 200: users.profileResponse },
      },
      handler: async (request) => {
        const user = await updateProfile(signedInContextOf(deps, request), request.body);
        return { message: 'Profile updated successfully', user: presentUser(user) };
      },
    });

    app.route({
      method: 'PUT',
      url: '/api/auth/change-password',
      config: { access: ownAccount.always, errors: ['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS'] },
      schema: {
        operationId: 'changePassword',
        tags: ['Account'],
        summary: 'Change your password; ends your other sessions',
        body: contract.changePasswordInput,
        response: { 200: message },
      },
      errorHandler: throttleBeforeValidation(deps, ownPasswordAttempts),
      handler: async (request) => {
        await changePassword(signedInContextOf(deps, request), request.body);
        return { message: 'Password changed successfully' };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/confirm',
      config: {
        access: ownAccount.withoutSecondFactor,
        errors: [
          'WRONG_PASSWORD',
          'INVALID_MFA_CODE',
          'PASSKEY_FAILED',
          'PASSWORD_SIGN_IN_OFF',
          'TOO_MANY_ATTEMPTS',
        ],
      },
      schema: {
        operationId: 'confirmSession',
        tags: ['Account'],
        summary: 'Confirm the session with the password, an MFA code or a passkey',
        description:
          'Allows this session the calls that answer CONFIRMATION_REQUIRED, for 15 minutes. A code or a passkey also allows those that answer SECOND_FACTOR_REQUIRED or MFA_SETUP_REQUIRED.',
        body: contract.confirmInput,
        response: { 200: message },
      },
      errorHandler: throttleBeforeValidation(deps, passwordOrCodeAttempts),
      handler: async (request) => {
        const site = siteOf(deps.config, request);
        await confirmSession(signedInContextOf(deps, request), site, request.body);
        return { message: 'Confirmed' };
      },
    });
  };
}
