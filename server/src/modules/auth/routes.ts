import * as contract from '@customer-database/contract/auth';
import { message, noBody } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { contextOf, signedInContextOf } from '../../http/context.ts';
import { setDeviceCookie, withDevice } from '../../http/device-cookie.ts';
import { siteOf } from '../../http/origin.ts';
import { presentUser } from '../users/present.ts';
import { confirmSession } from './confirm.ts';
import { requireInternalAccess } from './internal-access.ts';
import { disableMfa, startMfaSetup, verifyMfaSetup } from './mfa.ts';
import { ownAccount } from './own-account.ts';
import { canUsePasskeys } from './passkeys/commands.ts';
import { changePassword } from './password.ts';
import { presentSession } from './present.ts';
import { needsFirstAdmin, registerFirstAdmin } from './register.ts';
import { signIn, signOut, verifyMfaSignIn } from './sign-in.ts';
import { throttledBefore } from './throttled-first.ts';

export function authRoutes(deps: Deps): FastifyPluginAsyncZod {
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
      errorHandler: throttledBefore.signIn(deps),
      handler: async (request, reply) => {
        const result = await signIn(withDevice(contextOf(deps, request), request), request.body);
        if (result.kind === 'mfa') return { mfa_required: true as const, mfa_token: result.mfaToken };
        setDeviceCookie(deps.config, request, reply, result.deviceToken);
        return presentSession(result);
      },
    });

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
      errorHandler: throttledBefore.challenge(deps),
      handler: async (request, reply) => {
        const session = await verifyMfaSignIn(withDevice(contextOf(deps, request), request), request.body);
        setDeviceCookie(deps.config, request, reply, session.deviceToken);
        return presentSession(session);
      },
    });

    app.route({
      method: 'GET',
      url: '/api/auth/setup',
      config: { access: 'public' },
      schema: {
        operationId: 'getSetupState',
        tags: ['Sign-in'],
        summary: 'Whether the first administrator is still to be made',
        response: { 200: contract.setupStateResponse },
      },
      handler: async (request) => ({
        needs_first_admin: await needsFirstAdmin(deps),
        passkeys: deps.config.passwordSignIn && canUsePasskeys(siteOf(deps.config, request)),
        company_sign_in: deps.config.companySignIn?.name ?? null,
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
        summary: 'Make the first administrator',
        body: contract.registerInput,
        response: { 201: contract.registerResponse },
      },
      errorHandler: throttledBefore.setupCode(deps),
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

    app.route({
      method: 'GET',
      url: '/api/auth/verify',
      config: { access: { ...ownAccount.always, anyToken: true } },
      schema: {
        operationId: 'getCurrentUser',
        tags: ['Account'],
        summary: 'Who is signed in',
        response: { 200: contract.verifyResponse },
      },
      handler: async (request) => ({ user: presentUser(signedInContextOf(deps, request).signedIn.user) }),
    });

    app.route({
      method: 'PUT',
      url: '/api/auth/change-password',
      config: { access: ownAccount.always, errors: ['WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS'] },
      schema: {
        operationId: 'changePassword',
        tags: ['Account'],
        summary: 'Change your own password; ends your other sessions',
        body: contract.changePasswordInput,
        response: { 200: message },
      },
      errorHandler: throttledBefore.password(deps),
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
        summary: 'Confirm that it is you, by the password, an MFA code or a passkey',
        description:
          'Opens the calls that answer CONFIRMATION_REQUIRED to this session, for 15 minutes. A code or a passkey also opens those that answer SECOND_FACTOR_REQUIRED, and those that answer MFA_SETUP_REQUIRED.',
        body: contract.confirmInput,
        response: { 200: message },
      },
      errorHandler: throttledBefore.passwordOrCode(deps),
      handler: async (request) => {
        const site = siteOf(deps.config, request);
        await confirmSession(signedInContextOf(deps, request), site, request.body);
        return { message: 'Confirmed' };
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
        summary: 'Begin to set up MFA; in a session that was confirmed lately',
        body: noBody,
        response: { 200: contract.mfaSetupResponse },
      },
      handler: async (request) => {
        const setup = await startMfaSetup(signedInContextOf(deps, request));
        return { secret: setup.secret, otpauth_url: setup.otpauthUrl, qr_code: setup.qrCode };
      },
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
        summary: 'Confirm the MFA setup; answers the recovery codes, once, and ends your other sessions',
        body: contract.mfaSetupVerifyInput,
        response: { 200: contract.mfaSetupVerifyResponse },
      },
      errorHandler: throttledBefore.code(deps),
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
        summary: 'Switch MFA off',
        body: contract.mfaDisableInput,
        response: { 200: message },
      },
      errorHandler: throttledBefore.password(deps),
      handler: async (request) => {
        await disableMfa(signedInContextOf(deps, request), request.body);
        return { message: 'MFA disabled successfully' };
      },
    });
  };
}
