import { sessionResponse } from '@customer-database/contract/auth';
import { idParams, message, noBody } from '@customer-database/contract/fields';
import * as contract from '@customer-database/contract/passkeys';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf, signedInContextOf } from '../../../http/context.ts';
import { setDeviceCookie, withDevice } from '../../../http/cookies.ts';
import { siteOf } from '../../../http/origin.ts';
import { ownAccount, requireInternalAccess } from '../access-rules.ts';
import { presentSession } from '../sessions/present.ts';
import * as commands from './commands.ts';
import { startPasskeyConfirmation } from './confirm.ts';
import { presentChallenge, presentPasskey } from './present.ts';

export function passkeyRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/passkeys',
      config: { access: ownAccount.withoutSecondFactor },
      schema: {
        operationId: 'listPasskeys',
        tags: ['Account'],
        summary: 'List your passkeys',
        response: { 200: contract.passkeyListResponse },
      },
      handler: async (request) => {
        const passkeys = await commands.listPasskeys(signedInContextOf(deps, request));
        return { passkeys: passkeys.map(presentPasskey) };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/passkeys/setup/start',
      config: {
        access: ownAccount.withoutSecondFactor,
        errors: ['CONFIRMATION_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'CONFLICT'],
      },
      schema: {
        operationId: 'startPasskeySetup',
        tags: ['Account'],
        summary: 'Start to add a passkey; requires a recently confirmed session',
        body: noBody,
        response: { 200: contract.passkeyChallengeResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        return presentChallenge(await commands.startPasskeySetup(ctx, siteOf(deps.config, request)));
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/passkeys/setup/verify',
      config: {
        access: ownAccount.withoutSecondFactor,
        errors: ['CONFIRMATION_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'PASSKEY_FAILED', 'CONFLICT'],
      },
      schema: {
        operationId: 'verifyPasskeySetup',
        tags: ['Account'],
        summary: 'Add the passkey that the browser created',
        body: contract.passkeySetupInput,
        response: { 201: contract.savedPasskeyResponse },
      },
      handler: async (request, reply) => {
        const ctx = signedInContextOf(deps, request);
        const passkey = await commands.verifyPasskeySetup(ctx, siteOf(deps.config, request), request.body);
        return reply
          .code(201)
          .send({ message: 'Passkey added successfully', passkey: presentPasskey(passkey) });
      },
    });

    app.route({
      method: 'PUT',
      url: '/api/auth/passkeys/:id',
      config: { access: 'profile.manage' },
      schema: {
        operationId: 'renamePasskey',
        tags: ['Account'],
        summary: 'Rename one of your passkeys',
        params: idParams,
        body: contract.renamePasskeyInput,
        response: { 200: contract.savedPasskeyResponse },
      },
      handler: async (request) => {
        const { id } = request.params;
        const passkey = await commands.renamePasskey(signedInContextOf(deps, request), id, request.body.name);
        return { message: 'Passkey renamed successfully', passkey: presentPasskey(passkey) };
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api/auth/passkeys/:id',
      config: { access: 'profile.manage', errors: ['CONFIRMATION_REQUIRED', 'SECOND_FACTOR_REQUIRED'] },
      schema: {
        operationId: 'removePasskey',
        tags: ['Account'],
        summary: 'Remove one of your passkeys; requires a recently confirmed session',
        params: idParams,
        response: { 200: message },
      },
      handler: async (request) => {
        await commands.removePasskey(signedInContextOf(deps, request), request.params.id);
        return { message: 'Passkey removed successfully' };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/passkeys/confirm/start',
      config: { access: ownAccount.withoutSecondFactor, errors: ['PASSWORD_SIGN_IN_OFF'] },
      schema: {
        operationId: 'startPasskeyConfirmation',
        tags: ['Account'],
        summary: 'Start to confirm the session with a passkey',
        body: noBody,
        response: { 200: contract.passkeyChallengeResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        return presentChallenge(await startPasskeyConfirmation(ctx, siteOf(deps.config, request)));
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/passkeys/sign-in/start',
      config: { access: 'public', errors: ['PASSWORD_SIGN_IN_OFF'] },
      schema: {
        operationId: 'startPasskeySignIn',
        tags: ['Sign-in'],
        summary: 'Start to sign in with a passkey',
        body: noBody,
        response: { 200: contract.passkeyChallengeResponse },
      },
      handler: async (request) => {
        const ctx = contextOf(deps, request);
        return presentChallenge(await commands.startPasskeySignIn(ctx, siteOf(deps.config, request)));
      },
    });

    app.route({
      method: 'POST',
      url: '/api/auth/passkeys/sign-in/finish',
      config: {
        access: 'public',
        errors: [
          'SIGN_IN_FAILED',
          'PASSWORD_SIGN_IN_OFF',
          'INTERNAL_ACCESS_REQUIRED',
          'PASSKEY_FAILED',
          'TOO_MANY_ATTEMPTS',
        ],
      },
      schema: {
        operationId: 'finishPasskeySignIn',
        tags: ['Sign-in'],
        summary: 'Sign in with a passkey, which counts as both factors',
        body: contract.passkeySignInInput,
        response: { 200: sessionResponse },
      },
      preValidation: requireInternalAccess(deps),
      handler: async (request, reply) => {
        const ctx = withDevice(contextOf(deps, request), request);
        const session = await commands.finishPasskeySignIn(ctx, siteOf(deps.config, request), request.body);
        setDeviceCookie(deps.config, request, reply, session.deviceToken);
        return presentSession(session);
      },
    });
  };
}
