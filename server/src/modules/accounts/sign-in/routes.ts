import * as contract from '@customer-database/contract/auth';
import { message, noBody } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf, signedInContextOf } from '../../../http/context.ts';
import { setDeviceCookie, withDevice } from '../../../http/cookies.ts';
import { siteOf } from '../../../http/origin.ts';
import { ownAccount, requireInternalAccess } from '../access-rules.ts';
import { canUsePasskeys } from '../passkeys/commands.ts';
import { presentUser } from '../present.ts';
import { normalizeEmail } from '../repo.ts';
import { presentSession } from '../sessions/present.ts';
import { accountAttempt, callerAttempts, ipAddressAttempt, setupAttempts } from '../throttle/throttle.ts';
import {
  type AttemptsOf,
  bodyFields,
  throttleBeforeValidation,
} from '../throttle/throttle-before-validation.ts';
import { signIn, signOut } from './commands.ts';
import { needsFirstAdmin, registerFirstAdmin } from './first-admin.ts';

const signInAttempts: AttemptsOf = (ctx, request) => {
  const email = contract.loginInput.shape.email.safeParse(bodyFields(request).email).data;
  if (email === undefined) return [ipAddressAttempt(ctx)];
  const account = normalizeEmail(email);
  return [...callerAttempts(ctx, account), accountAttempt(ctx, account)];
};

export function signInRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/api/auth/login',
      config: {
        access: 'public',
        errors: ['SIGN_IN_FAILED', 'PASSWORD_SIGN_IN_OFF', 'INTERNAL_ACCESS_REQUIRED', 'TOO_MANY_ATTEMPTS'],
      },
      schema: {
        operationId: 'signIn',
        tags: ['Sign-in'],
        summary: 'Sign in',
        body: contract.loginInput,
        response: { 200: contract.loginResponse },
      },
      preValidation: requireInternalAccess(deps),
      errorHandler: throttleBeforeValidation(deps, signInAttempts),
      handler: async (request, reply) => {
        const result = await signIn(withDevice(contextOf(deps, request), request), request.body);
        if (result.kind === 'mfa') return { mfa_required: true as const, mfa_token: result.mfaToken };
        setDeviceCookie(deps.config, request, reply, result.deviceToken);
        return presentSession(result);
      },
    });

    app.route({
      method: 'GET',
      url: '/api/auth/setup',
      config: { access: 'public' },
      schema: {
        operationId: 'getSetupState',
        tags: ['Sign-in'],
        summary: 'Whether there is a first administrator, and the ways to sign in',
        response: { 200: contract.setupStateResponse },
      },
      handler: async (request) => ({
        needs_first_admin: await needsFirstAdmin(deps),
        passkeys: deps.config.passwordSignIn && canUsePasskeys(siteOf(deps.config, request)),
        company_sign_in: deps.config.oidc?.name ?? null,
        password_sign_in: deps.config.passwordSignIn,
      }),
    });

    app.route({
      method: 'POST',
      url: '/api/auth/register',
      config: { access: 'public', errors: ['REGISTRATION_CLOSED', 'WRONG_SETUP_CODE', 'TOO_MANY_ATTEMPTS'] },
      schema: {
        operationId: 'registerFirstAdmin',
        tags: ['Sign-in'],
        summary: 'Create the first administrator',
        body: contract.registerInput,
        response: { 201: contract.registerResponse },
      },
      errorHandler: throttleBeforeValidation(deps, setupAttempts),
      handler: async (request, reply) => {
        const user = await registerFirstAdmin(contextOf(deps, request), request.body);
        return reply.code(201).send({ message: 'Account created successfully', user: presentUser(user) });
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/logout',
      config: { access: ownAccount.always },
      schema: {
        operationId: 'signOut',
        tags: ['Sign-in'],
        summary: 'Sign out',
        body: noBody,
        response: { 200: message },
      },
      handler: async (request) => {
        await signOut(signedInContextOf(deps, request));
        return { message: 'Signed out successfully' };
      },
    });
  };
}
