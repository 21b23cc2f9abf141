import { makeUser, unique } from '@customer-database/testkit/factories';
import * as bad from './bad-values.ts';
import { callsOf, type Setup } from './call.ts';

const newInvitation = () => ({ email: `${unique('i')}@example.com` });

async function makeStaff({ app }: Setup) {
  const { id } = await makeUser(app, 'staff');
  return { id };
}

async function makeDisabled(setup: Setup) {
  const { id } = await makeStaff(setup);
  await setup.admin.client.post(`/api/users/${id}/disable`);
  return { id };
}

async function makeInvited({ admin }: Setup) {
  const { body } = await admin.client.post('/api/auth/invite', newInvitation());
  return { id: body.user.id };
}

const unknownId = 'User not found';
const role = bad.oneOf('Role must be staff or admin');

export const userCalls = {
  ...callsOf('admin', 'admin token', {
    'GET /api/users': {},
    'GET /api/users/{id}': { example: makeStaff, unknownId },
    'PUT /api/users/{id}': {
      example: async (setup) => ({ ...(await makeStaff(setup)), body: { name: 'Other', role: 'admin' } }),
      unknownId,
      badFields: { name: bad.ifSent(bad.requiredLine('Name', 200)), role },
    },
    'POST /api/users/{id}/end-sessions': { example: makeStaff, unknownId },
    'POST /api/users/{id}/withdraw-invitation': { example: makeInvited, unknownId },
  }),
  ...callsOf('admin', 'no token', {
    'POST /api/users/{id}/reset-password': { example: makeStaff, unknownId },
    'POST /api/users/{id}/reset-mfa': { example: makeStaff, unknownId },
    'POST /api/users/{id}/disable': { example: makeStaff, unknownId },
    'POST /api/users/{id}/enable': { example: makeDisabled, unknownId },
    'POST /api/auth/invite': {
      example: () => ({ body: newInvitation() }),
      badFields: { email: bad.requiredEmail, name: bad.optionalLine('Name', 200), role },
    },
    'POST /api/users/{id}/resend-invitation': { example: makeInvited, unknownId },
  }),
};
