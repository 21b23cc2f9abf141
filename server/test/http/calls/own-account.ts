import { makeUser, testPassword, unique } from '@customer-database/testkit/factories';
import { login } from '@customer-database/testkit/sign-in';
import * as bad from './bad-values.ts';
import { byNewStaff, callsOf } from './call.ts';

const revoke_tokens = bad.flag('revoke_tokens');
const passwordOf = (label: string, short: string) => bad.password(label, 'All fields are required', short);
const aToken = { name: 'Reports', scope: 'read' };

/** Of users about their profile, sessions and API tokens. */
export const ownAccountCalls = {
  ...callsOf('before password change', 'read token', { 'GET /api/auth/verify': {} }),
  ...callsOf('before password change', 'no token', {
    'POST /api/auth/logout': { example: byNewStaff },
    'PUT /api/auth/change-password': {
      example: async (setup) => ({
        ...(await byNewStaff(setup)),
        body: { currentPassword: testPassword, newPassword: unique('new') },
      }),
      badFields: {
        currentPassword: passwordOf('Current password', 'The current password is not correct'),
        newPassword: passwordOf('New password', 'New password must be at least 6 characters'),
        revoke_tokens,
      },
    },
  }),
  ...callsOf('before second factor', 'no token', {
    'POST /api/auth/confirm': {
      example: async (setup) => ({ ...(await byNewStaff(setup)), body: { password: testPassword } }),
      badFields: {
        password: bad.ownPassword,
        code: [...bad.ifSent(bad.mfaCode), ['123456', 'Send one of password, code and passkey']],
        passkey: bad.passkeyProof,
      },
    },
    'GET /api/auth/sessions': {},
    'DELETE /api/auth/sessions': {
      example: async ({ app }) => {
        const { client, email } = await makeUser(app, 'staff');
        await login(app, email);
        return { by: client };
      },
    },
    'DELETE /api/auth/sessions/{id}': {
      example: async (setup) => {
        const { by } = await byNewStaff(setup);
        const [session] = (await by.get('/api/auth/sessions')).body.sessions;
        return { by, id: session.id };
      },
      unknownId: 'This session has ended already',
    },
    'GET /api/auth/tokens': {},
    'DELETE /api/auth/tokens/{id}': {
      example: async (setup) => {
        const { by } = await byNewStaff(setup);
        return { by, id: (await by.post('/api/auth/tokens', aToken)).body.api_token.id };
      },
      unknownId: 'This token has been revoked already',
    },
  }),
  ...callsOf('signed-in', 'no token', {
    'PUT /api/auth/profile': {
      example: async (setup) => ({ ...(await byNewStaff(setup)), body: { phone_number: unique('0') } }),
      badFields: {
        name: bad.ifSent(bad.requiredLine('Name', 200)),
        email: bad.ifSent(bad.requiredEmail),
        phone_number: bad.phoneNumber,
        revoke_tokens,
      },
    },
    'POST /api/auth/tokens': {
      example: async (setup) => ({ ...(await byNewStaff(setup)), body: aToken }),
      badFields: {
        name: bad.requiredLine('Name', 100),
        scope: bad.oneOf('Scope must be one of read, write, admin'),
        expires_in_days: bad.wholeNumber('Days must be a whole number from 1 to 365', [0, 366, '30']),
      },
    },
  }),
};
