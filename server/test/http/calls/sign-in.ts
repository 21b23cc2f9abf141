import { Browser } from '@customer-database/testkit/browser';
import { makeUser, testPassword } from '@customer-database/testkit/factories';
import { OidcSignIn } from '@customer-database/testkit/oidc-sign-in';
import { mfaToken } from '@customer-database/testkit/sign-in';
import { startTestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode } from '@customer-database/testkit/totp';
import { setupCode } from '../../../src/modules/accounts/sign-in/first-admin.ts';
import * as bad from './bad-values.ts';
import { openCalls } from './call.ts';
import { withPasskey } from './factors.ts';

export const signInCalls = openCalls('public', {
  'GET /api/auth/setup': {},
  'POST /api/auth/register': {
    example: async () => {
      const empty = await startTestApp();
      const first = { name: 'First', email: 'first@example.com', password: testPassword };
      return { by: empty.client(), to: empty, body: { ...first, setup_code: setupCode(empty.deps) } };
    },
    badFields: {
      name: bad.requiredLine('Name', 200),
      email: bad.requiredEmail,
      password: bad.ownPassword,
      setup_code: bad.requiredLine('Setup code', 100),
    },
  },
  'POST /api/auth/login': {
    example: async ({ app }) => {
      const { email } = await makeUser(app, 'staff');
      return { by: app.client(), body: { email, password: testPassword } };
    },
    badFields: { email: bad.requiredEmail, password: bad.ownPassword },
  },
  'POST /api/auth/mfa/verify-login': {
    example: async ({ app }) => {
      const user = await makeUser(app, 'staff');
      const { secret } = await enableMfa(app, user);
      const mfa_token = await mfaToken(app, user.email);
      return { by: app.client(), body: { mfa_token, code: nextTotpCode(app, secret) } };
    },
    badFields: { mfa_token: bad.requiredLine('MFA token', 200), code: bad.mfaCode },
  },
  'POST /api/auth/passkeys/sign-in/start': { changes: 'nothing yet', example: {} },
  'POST /api/auth/passkeys/sign-in/finish': {
    example: async (setup) => {
      const { device } = await withPasskey(setup);
      const by = setup.app.client();
      const { options, state } = (await by.post('/api/auth/passkeys/sign-in/start')).body;
      return { by, body: { state, response: device.authenticate(options) } };
    },
    badFields: { state: bad.passkeyState, response: bad.browserResponse },
  },
  'POST /api/auth/oidc/finish': {
    example: async () => {
      const oidc = await OidcSignIn.start();
      const server = await oidc.startApp({ OIDC_PROVISION: 'staff' });
      // The first time creates the user.
      await oidc.signIn(oidc.person().sub, server);
      const browser = new Browser();
      await oidc.openCallback(browser, await oidc.toCallback(browser, server), server);
      return { by: { send: () => oidc.finish(browser, server) }, to: server };
    },
  },
});
