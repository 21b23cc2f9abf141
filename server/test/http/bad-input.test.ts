import { apiDocument, operationsOf } from '@customer-database/testkit/api';
import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import {
  customerFields,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { fingerprintOf } from '@customer-database/testkit/fingerprint';
import { expectProblem } from '@customer-database/testkit/problems';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';
import * as bad from './bad-values.ts';

const shortPassword = 'Password must be at least 6 characters';
const signInPassword = bad.password('Password', 'Password is required', shortPassword);
const mfaCode = bad.requiredLine('MFA code', 64);
const address = {
  phone_number: bad.optionalLine('Phone number', 50),
  street_line: bad.optionalLine('Street line', 200),
  city: bad.optionalLine('City', 100),
  province: bad.optionalLine('Province', 100),
  country: bad.optionalLine('Country', 100),
};

type Call = { good: () => Record<string, unknown>; fields: Record<string, bad.BadValue[]> };

let app: TestApp;
let admin: TestUser;
let customerId: number;

const challenge = { challenge: 'AAAA' };

/** Every call with a body: a valid body, and all invalid values of each field. */
const calls: Record<string, Call> = {
  'POST /api/auth/login': {
    good: () => ({ email: 'a@example.com', password: 'some password' }),
    fields: { email: bad.requiredEmail, password: signInPassword },
  },
  'POST /api/auth/register': {
    good: () => ({ name: 'A', email: 'a@example.com', password: 'some password', setup_code: 'x' }),
    fields: {
      name: bad.requiredLine('Name', 200),
      email: bad.requiredEmail,
      password: signInPassword,
      setup_code: bad.requiredLine('Setup code', 100),
    },
  },
  'POST /api/auth/mfa/verify-login': {
    good: () => ({ mfa_token: 'x', code: '123456' }),
    fields: { mfa_token: bad.requiredLine('MFA token', 200), code: mfaCode },
  },
  'PUT /api/auth/change-password': {
    good: () => ({ currentPassword: 'some password', newPassword: 'another password' }),
    fields: {
      currentPassword: bad.password(
        'Current password',
        'All fields are required',
        'The current password is not correct',
      ),
      newPassword: bad.password(
        'New password',
        'All fields are required',
        'New password must be at least 6 characters',
      ),
      revoke_tokens: bad.yesOrNo('revoke_tokens'),
    },
  },
  'POST /api/auth/mfa/setup/verify': { good: () => ({ code: '123456' }), fields: { code: mfaCode } },
  'POST /api/auth/mfa/disable': {
    good: () => ({ password: 'some password', code: '123456' }),
    fields: { password: signInPassword, code: mfaCode },
  },
  'PUT /api/auth/profile': {
    good: () => ({ name: 'A', email: 'a@example.com', phone_number: '1' }),
    fields: {
      // A field that is not sent stays as it is; one that is sent must be valid.
      name: bad.requiredLine('Name', 200).filter(([, value]) => value !== undefined),
      email: bad.requiredEmail.filter(([, value]) => value !== undefined),
      phone_number: address.phone_number,
      revoke_tokens: bad.yesOrNo('revoke_tokens'),
    },
  },
  'POST /api/auth/invite': {
    good: () => ({ email: 'a@example.com', name: 'A', role: 'staff' }),
    fields: {
      email: bad.requiredEmail,
      name: bad.optionalLine('Name', 200),
      role: bad.oneOf('Role must be staff or admin'),
    },
  },
  'POST /api/auth/passkeys/setup/start': { good: () => ({}), fields: {} },
  'POST /api/auth/passkeys/setup/verify': {
    good: () => ({
      state: 'x',
      name: 'Phone',
      response: new SoftwareAuthenticator(app.url).register(challenge),
    }),
    fields: {
      state: bad.requiredLine('State', 2000),
      name: bad.requiredLine('Name', 100),
      response: bad.browserResponse,
    },
  },
  'PUT /api/auth/passkeys/{id}': {
    good: () => ({ name: 'Phone' }),
    fields: { name: bad.requiredLine('Name', 100) },
  },
  'POST /api/auth/tokens': {
    good: () => ({ name: 'Reports', scope: 'read' }),
    fields: {
      name: bad.requiredLine('Name', 100),
      scope: bad.oneOf('Scope must be one of read, write, admin'),
      expires_in_days: bad.wholeNumber('Days must be a whole number from 1 to 365', [
        ['zero', 0],
        ['more than a year', 366],
        ['text', '30'],
      ]),
    },
  },
  'POST /api/auth/oidc/finish': { good: () => ({}), fields: {} },
  'POST /api/auth/passkeys/confirm/start': { good: () => ({}), fields: {} },
  'POST /api/auth/passkeys/sign-in/start': { good: () => ({}), fields: {} },
  'POST /api/auth/passkeys/sign-in/finish': {
    good: () => ({ state: 'x', response: new SoftwareAuthenticator(app.url).authenticate(challenge) }),
    fields: { state: bad.requiredLine('State', 2000), response: bad.browserResponse },
  },
  'PUT /api/users/{id}': {
    good: () => ({ name: 'A', role: 'staff' }),
    fields: {
      name: bad.requiredLine('Name', 200).filter(([, value]) => value !== undefined),
      role: bad.oneOf('Role must be staff or admin'),
    },
  },
  ...Object.fromEntries(
    [
      'resend-invitation',
      'withdraw-invitation',
      'reset-password',
      'reset-mfa',
      'end-sessions',
      'disable',
      'enable',
    ].map((action) => [`POST /api/users/{id}/${action}`, { good: () => ({}), fields: {} }]),
  ),
  'POST /api/customers': {
    good: () => customerFields(),
    fields: {
      name: bad.requiredLine('Name', 200),
      dob: bad.requiredDate('Date of Birth'),
      email: bad.requiredEmail,
      ...address,
    },
  },
  'PUT /api/customers/{id}': {
    good: () => customerFields(),
    fields: {
      name: bad.requiredLine('Name', 200).filter(([, value]) => value !== undefined),
      dob: bad.optionalDate('Date of Birth'),
      email: bad.optionalEmail,
      ...address,
      updated_at: bad.seenAt,
      // A record may be sent back unchanged.
      id: [],
      created_at: [],
    },
  },
  'POST /api/customers/search': {
    good: () => ({ name: 'A' }),
    fields: {
      name: bad.filter('Name'),
      email: bad.filter('Email'),
      phone_number: bad.filter('Phone number'),
      street_line: [
        ...bad.filter('Street line'),
        ['one character', ' x ', 'Please enter at least 2 characters for street line'],
      ],
      city: bad.filter('City'),
      province: bad.filter('Province'),
      country: bad.filter('Country'),
      limit: bad.searchLimit,
      offset: bad.searchOffset,
    },
  },
  'POST /api/documents/search': {
    good: () => ({ filename: 'A' }),
    fields: {
      customer_name: bad.filter('Customer name'),
      customer_email: bad.filter('Customer email'),
      filename: bad.filter('Filename'),
      text: bad.filter('Contains text'),
      date_from: bad.optionalDate('Date from'),
      date_to: bad.optionalDate('Date to'),
      limit: bad.searchLimit,
      offset: bad.searchOffset,
    },
  },
  'PUT /api/documents/{id}': {
    good: () => ({}),
    fields: {
      filename: bad.requiredLine('Filename', 255).filter(([, value]) => value !== undefined),
      description: bad.optionalParagraphs('Description', 2000),
      customer_id: bad.id('Please select a customer').filter(([, value]) => value !== undefined),
    },
  },
  'POST /api/documents/check-duplicate': {
    good: () => ({ customer_id: customerId, filename: 'a.pdf' }),
    fields: { customer_id: bad.id('Please select a customer'), filename: bad.requiredLine('Filename', 255) },
  },
  'POST /api/documents': {
    good: () => uploadBody(customerId),
    fields: {
      customer_id: bad.id('Please select a customer'),
      filename: bad.requiredLine('Filename', 255),
      description: bad.optionalParagraphs('Description', 2000),
      file_data: bad.base64File,
      mime_type: bad.optionalLine('File type', 200),
      upload_id: bad.uuid('Upload id must be a UUID'),
    },
  },
  'POST /api/auth/confirm': {
    good: () => ({ password: 'some password' }),
    fields: {
      password: signInPassword,
      code: [
        ...mfaCode.filter(([, value]) => value !== undefined),
        ['beside the password', '123456', 'Send one of password, code and passkey'],
      ],
      passkey: bad.passkeyProof,
    },
  },
  'POST /api/auth/logout': { good: () => ({}), fields: {} },
  'POST /api/auth/mfa/setup/start': { good: () => ({}), fields: {} },
};

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

const send = (name: string, body: unknown) => {
  const [method = '', path = ''] = name.split(' ');
  return admin.client.send(path.replace('{id}', String(customerId)), {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
};

describe('bad input', () => {
  it('is listed here for every field of every call', () => {
    const described = operationsOf(apiDocument(app)).filter(({ body }) => body !== undefined);
    const fieldsOf = (fields: object) => Object.keys(fields).sort();
    expect(
      Object.fromEntries(Object.entries(calls).map(([name, { fields }]) => [name, fieldsOf(fields)])),
    ).toEqual(
      Object.fromEntries(described.map(({ name, body }) => [name, fieldsOf(body?.properties ?? {})])),
    );
  });

  it.each(Object.entries(calls))('%s refuses it, names the field and stores nothing', async (name, call) => {
    const before = await fingerprintOf(app);
    for (const [field, values] of Object.entries(call.fields)) {
      for (const [what, value, text] of values) {
        const answer = await send(name, { ...call.good(), [field]: value });
        const where = `${field}: ${what}`;
        expectProblem(answer, 400, 'VALIDATION_FAILED');
        expect(answer.body.fields, where).toEqual({ [field]: text });
        expect(answer.body.error, where).toBe(text);
      }
    }
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it.each(Object.entries(calls))('%s refuses unknown and read-only fields', async (name, call) => {
    const before = await fingerprintOf(app);
    for (const field of ['id', 'created_at', 'storage_key', 'constructor', 'is_admin', ' name']) {
      if (Object.hasOwn(call.fields, field)) continue;
      const answer = await send(name, { ...call.good(), [field]: 1 });
      expectProblem(answer, 400, 'VALIDATION_FAILED');
      expect(answer.body.fields).toEqual({ [field]: `${field} is not a field that can be set here` });
    }
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it.each(Object.keys(calls))('%s refuses a body that is not an object', async (name) => {
    const before = await fingerprintOf(app);
    const mayBeNull = Object.keys(calls[name]?.fields ?? {}).length === 0;
    for (const body of [[], 'text', 5, true, [{}], ...(mayBeNull ? [] : [null])]) {
      expectProblem(await send(name, body), 400, 'MALFORMED_REQUEST');
    }
    expect(await fingerprintOf(app)).toEqual(before);
  });

  it('does not include wildcards and quotes, which are stored and found literally', async () => {
    const odd = `100%_'"\\;-- <b>\u202e`;
    const texts = { name: odd, phone_number: odd, street_line: odd, city: odd, province: odd, country: odd };
    const customer = await makeCustomer(admin.client, texts);
    expect(customer).toMatchObject(texts);
    const found = await admin.client.post('/api/customers/search', { ...texts, phone_number: '100' });
    expect(found.body.customers.map(({ id }: { id: number }) => id)).toEqual([customer.id]);
    const others = await admin.client.post('/api/customers/search', { name: '1%0', city: '_' });
    expect(others.body.count).toBe(0);
  });
});
