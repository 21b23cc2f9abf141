import * as contract from '@customer-database/contract/auth';
import { message, noBody } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf, signedInContextOf } from '../../../http/context.ts';
import { setDeviceCookie, withDevice } from '../../../http/cookies.ts';
import { ownAccount, requireInternalAccess } from '../access-rules.ts';
import { presentSession } from '../sessions/present.ts';
import { ownPasswordAttempts, throttleBeforeValidation } from '../throttle/throttle-before-validation.ts';
import { mfaSignInAttempts, ownCodeAttempts } from './attempts.ts';
import { disableMfa, startMfaSetup, verifyMfaSetup } from './commands.ts';
import { verifyMfaSignIn } from './sign-in.ts';

export function mfaRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/mfa/verify-login',
      config: {
        access: 'public',
        errors: [
          'MFA_SIGN_IN_FAILED',
          'MFA_SIGN_IN_EXPIRED',
          'INTERNAL_ACCESS_REQUIRED',
          'TOO_MANY_ATTEMPTS',
        ],
      },
      schema: {
        operationId: 'finishMfaSignIn',
        tags: ['Sign-in'],
        summary: 'Finish a sign-in with an MFA code or a recovery code',
        body: contract.mfaVerifyLoginInput,
        response: { 200: contract.sessionResponse },
      },
      preValidation: requireInternalAccess(deps),
      errorHandler: throttleBeforeValidation(deps, mfaSignInAttempts),
      handler: async (request, reply) => {
        const session = await verifyMfaSignIn(withDevice(contextOf(deps, request), request), request.body);
        setDeviceCookie(deps.config, request, reply, session.deviceToken);
        return presentSession(session);
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/mfa/setup/start',
      config: {
        access: ownAccount.withoutSecondFactor,
        errors: ['CONFIRMATION_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'MFA_ALREADY_ENABLED'],
      },
      schema: {
        operationId: 'startMfaSetup',
        tags: ['Account'],
        summary: 'Start the MFA setup; requires a recently confirmed session',
        body: noBody,
        response: { 200: contract.mfaSetupResponse },
      },
      handler: (request) => startMfaSetup(signedInContextOf(deps, request)),
    });

    app.route({
      method: 'POST',
      url: '/api/auth/mfa/setup/verify',
      config: {
        access: ownAccount.withoutSecondFactor,
        errors: [
          'INVALID_MFA_CODE',
          'CONFIRMATION_REQUIRED',
          'SECOND_FACTOR_REQUIRED',
          'MFA_SETUP_NOT_STARTED',
          'MFA_ALREADY_ENABLED',
          'TOO_MANY_ATTEMPTS',
        ],
      },
      schema: {
        operationId: 'verifyMfaSetup',
        tags: ['Account'],
        summary: 'Finish the MFA setup: returns the recovery codes, once, and ends your other sessions',
        body: contract.mfaSetupVerifyInput,
        response: { 200: contract.mfaSetupVerifyResponse },
      },
      errorHandler: throttleBeforeValidation(deps, ownCodeAttempts),
      handler: async (request) => ({
        message: 'MFA enabled successfully',
        recovery_codes: await verifyMfaSetup(signedInContextOf(deps, request), request.body.code),
      }),
    });

    app.route({
      method: 'POST',
      url: '/api/auth/mfa/disable',
      config: {
        access: 'profile.manage',
        errors: [
          'WRONG_PASSWORD',
          'INVALID_MFA_CODE',
          'SECOND_FACTOR_REQUIRED',
          'MFA_NOT_ENABLED',
          'TOO_MANY_ATTEMPTS',
        ],
      },
      schema: {
        operationId: 'disableMfa',
        tags: ['Account'],
        summary: 'Disable MFA',
        body: contract.mfaDisableInput,
        response: { 200: message },
      },
      errorHandler: throttleBeforeValidation(deps, ownPasswordAttempts),
      handler: async (request) => {
        await disableMfa(signedInContextOf(deps, request), request.body);
        return { message: 'MFA disabled successfully' };
      },
    });
  };
}
