import { SoftwareAuthenticator } from '@customer-database/testkit/authenticator';
import { customerFields, uploadBody } from '@customer-database/testkit/factories';
import * as bad from './bad-values.ts';

/** A valid body of a call, and all invalid values of each field. */
export type BadBodies = { good: Record<string, unknown>; fields: Record<string, bad.BadValue[]> };

export const withoutFields: BadBodies = { good: {}, fields: {} };

const name = bad.requiredLine('Name', 200);
const label = bad.requiredLine('Name', 100);
const signInPassword = bad.password(
  'Password',
  'Password is required',
  'Password must be at least 6 characters',
);
const mfaCode = bad.requiredLine('MFA code', 64);
const address = {
  phone_number: bad.optionalLine('Phone number', 50),
  street_line: bad.optionalLine('Street line', 200),
  city: bad.optionalLine('City', 100),
  province: bad.optionalLine('Province', 100),
  country: bad.optionalLine('Country', 100),
};
const customerId = bad.id('Please select a customer');
const filename = bad.requiredLine('Filename', 255);
const description = bad.optionalParagraphs('Description', 2000);
const role = bad.oneOf('Role must be staff or admin');
const revoke_tokens = bad.flag('revoke_tokens');
const state = bad.requiredLine('State', 2000);
const page = { limit: bad.searchLimit, offset: bad.searchOffset };

const device = new SoftwareAuthenticator('https://app.example.com');
const challenge = { challenge: 'AAAA' };

/** By call; calls that take no fields are left out. */
export const badBodies: Record<string, BadBodies> = {
  'POST /api/auth/login': {
    good: { email: 'a@example.com', password: 'some password' },
    fields: { email: bad.requiredEmail, password: signInPassword },
  },
  'POST /api/auth/register': {
    good: { name: 'A', email: 'a@example.com', password: 'some password', setup_code: 'x' },
    fields: {
      name,
      email: bad.requiredEmail,
      password: signInPassword,
      setup_code: bad.requiredLine('Setup code', 100),
    },
  },
  'POST /api/auth/mfa/verify-login': {
    good: { mfa_token: 'x', code: '123456' },
    fields: { mfa_token: bad.requiredLine('MFA token', 200), code: mfaCode },
  },
  'PUT /api/auth/change-password': {
    good: { currentPassword: 'some password', newPassword: 'another password' },
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
      revoke_tokens,
    },
  },
  'POST /api/auth/mfa/setup/verify': { good: { code: '123456' }, fields: { code: mfaCode } },
  'POST /api/auth/mfa/disable': {
    good: { password: 'some password', code: '123456' },
    fields: { password: signInPassword, code: mfaCode },
  },
  'PUT /api/auth/profile': {
    good: { name: 'A', email: 'a@example.com', phone_number: '1' },
    fields: {
      name: bad.ifSent(name),
      email: bad.ifSent(bad.requiredEmail),
      phone_number: address.phone_number,
      revoke_tokens,
    },
  },
  'POST /api/auth/invite': {
    good: { email: 'a@example.com', name: 'A', role: 'staff' },
    fields: { email: bad.requiredEmail, name: bad.optionalLine('Name', 200), role },
  },
  'POST /api/auth/passkeys/setup/verify': {
    good: { state: 'x', name: 'Phone', response: device.register(challenge) },
    fields: { state, name: label, response: bad.browserResponse },
  },
  'PUT /api/auth/passkeys/{id}': { good: { name: 'Phone' }, fields: { name: label } },
  'POST /api/auth/tokens': {
    good: { name: 'Reports', scope: 'read' },
    fields: {
      name: label,
      scope: bad.oneOf('Scope must be one of read, write, admin'),
      expires_in_days: bad.wholeNumber('Days must be a whole number from 1 to 365', [0, 366, '30']),
    },
  },
  'POST /api/auth/passkeys/sign-in/finish': {
    good: { state: 'x', response: device.authenticate(challenge) },
    fields: { state, response: bad.browserResponse },
  },
  'POST /api/auth/confirm': {
    good: { password: 'some password' },
    fields: {
      password: signInPassword,
      code: [...bad.ifSent(mfaCode), ['123456', 'Send one of password, code and passkey']],
      passkey: bad.passkeyProof,
    },
  },
  'PUT /api/users/{id}': { good: { name: 'A', role: 'staff' }, fields: { name: bad.ifSent(name), role } },
  'POST /api/customers': {
    good: customerFields(),
    fields: { name, dob: bad.requiredDate('Date of Birth'), email: bad.requiredEmail, ...address },
  },
  'PUT /api/customers/{id}': {
    good: customerFields(),
    fields: {
      name: bad.ifSent(name),
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
    good: { name: 'A' },
    fields: {
      name: bad.filter('Name'),
      email: bad.filter('Email'),
      phone_number: bad.filter('Phone number'),
      street_line: [
        ...bad.filter('Street line'),
        [' x ', 'Please enter at least 2 characters for street line'],
      ],
      city: bad.filter('City'),
      province: bad.filter('Province'),
      country: bad.filter('Country'),
      ...page,
    },
  },
  'POST /api/documents/search': {
    good: { filename: 'A' },
    fields: {
      customer_name: bad.filter('Customer name'),
      customer_email: bad.filter('Customer email'),
      filename: bad.filter('Filename'),
      text: bad.filter('Contains text'),
      date_from: bad.optionalDate('Date from'),
      date_to: bad.optionalDate('Date to'),
      ...page,
    },
  },
  'PUT /api/documents/{id}': {
    good: {},
    fields: { filename: bad.ifSent(filename), description, customer_id: bad.ifSent(customerId) },
  },
  'POST /api/documents/check-duplicate': {
    good: { customer_id: 1, filename: 'a.pdf' },
    fields: { customer_id: customerId, filename },
  },
  'POST /api/documents': {
    good: uploadBody(1),
    fields: {
      customer_id: customerId,
      filename,
      description,
      file_data: bad.base64File,
      mime_type: bad.optionalLine('File type', 200),
      upload_id: bad.uuid('Upload id must be a UUID'),
    },
  },
};
