import { addPasskey, SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import { makeUser, testPassword } from '@customer-database/testkit/factories';
import { enableMfa, nextTotpCode, totpCode } from '@customer-database/testkit/totp';
import * as bad from './bad-values.ts';
import { byNewStaff, callsOf, type Setup } from './call.ts';

const originOf = ({ app }: Setup) => app.deps.config.publicUrl ?? app.url;

/** A new user with a passkey. */
export async function withPasskey(setup: Setup) {
  const { by } = await byNewStaff(setup);
  const { device, answer } = await addPasskey(by, originOf(setup));
  return { by, device, id: answer.body.passkey.id };
}

const unknownId = 'Passkey not found';
const name = bad.requiredLine('Name', 100);

/** Of MFA and passkeys. */
export const factorCalls = {
  ...callsOf('before second factor', 'no token', {
    'POST /api/auth/mfa/setup/start': { changes: 'nothing yet', example: byNewStaff },
    'POST /api/auth/mfa/setup/verify': {
      example: async (setup) => {
        const { by } = await byNewStaff(setup);
        const { secret } = (await by.post('/api/auth/mfa/setup/start')).body;
        return { by, body: { code: totpCode(secret, setup.app.clock.now()) } };
      },
      badFields: { code: bad.mfaCode },
    },
    'GET /api/auth/passkeys': { example: withPasskey },
    'POST /api/auth/passkeys/setup/start': { changes: 'nothing yet', example: byNewStaff },
    'POST /api/auth/passkeys/setup/verify': {
      example: async (setup) => {
        const { by } = await byNewStaff(setup);
        const { options, state } = (await by.post('/api/auth/passkeys/setup/start')).body;
        const response = new SoftwareAuthenticator(originOf(setup)).register(options);
        return { by, body: { state, name: 'Phone', response } };
      },
      badFields: { state: bad.passkeyState, name, response: bad.browserResponse },
    },
    'POST /api/auth/passkeys/confirm/start': { changes: 'nothing yet', example: withPasskey },
  }),
  ...callsOf('signed-in', 'no token', {
    'POST /api/auth/mfa/disable': {
      example: async ({ app }) => {
        const user = await makeUser(app, 'staff');
        const { secret } = await enableMfa(app, user);
        return { by: user.client, body: { password: testPassword, code: nextTotpCode(app, secret) } };
      },
      badFields: { password: bad.ownPassword, code: bad.mfaCode },
    },
    'PUT /api/auth/passkeys/{id}': {
      example: async (setup) => ({ ...(await withPasskey(setup)), body: { name: 'Other' } }),
      unknownId,
      badFields: { name },
    },
    'DELETE /api/auth/passkeys/{id}': { example: withPasskey, unknownId },
  }),
};
