import { httpText, key, makeOne, number, type Setting } from './setting-kinds.ts';

const emailText = 'must be an email address';

const issuer = 'https://id.company.com';
const oidc = { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'shared', PUBLIC_URL: 'https://a.company.com' };
const company = {
  issuer,
  clientId: 'id',
  clientSecret: 'shared',
  name: 'your company',
  provisions: false,
  adminGroup: undefined,
};

/** Settings for accounts and sign-in. */
export const accountSettings: Record<string, Setting> = {
  ADMIN_EMAIL: {
    good: [
      [
        'a@company.com',
        { firstAdmin: { email: 'a@company.com', password: 'a long one' } },
        { ADMIN_PASSWORD: 'a long one' },
      ],
    ],
    wrong: [
      ['admin', emailText],
      ['a@b', emailText],
      ['a b@company.com', emailText],
    ],
  },
  ADMIN_PASSWORD: {
    good: [
      [
        'änder!',
        { firstAdmin: { email: 'a@company.com', password: 'änder!' } },
        { ADMIN_EMAIL: 'a@company.com' },
      ],
    ],
    wrong: [
      ['short', 'must have at least 6 characters'],
      ['Change-Me-1', 'is a placeholder'],
    ],
  },
  INTERNAL_ACCESS_SECRET: {
    good: [[key, { internalAccessSecret: key }]],
    wrong: [
      ['short', `must have at least 16 characters; ${makeOne}`],
      ['change-me-change-me', `is a placeholder; ${makeOne}`],
    ],
  },
  SESSION_IDLE_MINUTES: number('sessionIdleMs', 1, 525_600, 60_000),
  SESSION_MAX_HOURS: number('sessionMaxMs', 1, 8_760, 3_600_000),
  REQUIRE_MFA: {
    good: [
      ['none', { requireMfa: [] }],
      ['admins', { requireMfa: ['admin'] }],
      ['all', { requireMfa: ['staff', 'admin'] }],
    ],
    wrong: [
      ['yes', 'must be none, admins or all'],
      ['All', 'must be none, admins or all'],
    ],
  },
  OIDC_ISSUER: {
    good: [
      ['https://id.company.com', { oidc: company }, oidc],
      ['http://127.0.0.1:8080', { oidc: { ...company, issuer: 'http://127.0.0.1:8080' } }, oidc],
    ],
    wrong: [
      ['id.company.com', httpText],
      ['https://id.company.com/?a=b', 'must be without ?, # and @'],
    ],
  },
  OIDC_CLIENT_ID: { good: [['id', { oidc: company }, { ...oidc, OIDC_ISSUER: issuer }]], wrong: [] },
  OIDC_CLIENT_SECRET: {
    good: [['shared', { oidc: company }, { ...oidc, OIDC_ISSUER: issuer }]],
    wrong: [['change-me', 'is a placeholder']],
  },
  OIDC_NAME: {
    good: [['Acme', { oidc: { ...company, name: 'Acme' } }, { ...oidc, OIDC_ISSUER: issuer }]],
    wrong: [['x'.repeat(61), 'must have at most 60 characters']],
  },
  OIDC_PROVISION: {
    good: [
      ['none', { oidc: company }, { ...oidc, OIDC_ISSUER: issuer }],
      ['staff', { oidc: { ...company, provisions: true } }, { ...oidc, OIDC_ISSUER: issuer }],
    ],
    wrong: [['admin', 'must be none or staff']],
  },
  OIDC_ADMIN_GROUP: {
    good: [['admins', { oidc: { ...company, adminGroup: 'admins' } }, { ...oidc, OIDC_ISSUER: issuer }]],
    wrong: [],
  },
  PASSWORD_SIGN_IN: {
    good: [
      ['on', { passwordSignIn: true }],
      ['off', { passwordSignIn: false }, { ...oidc, OIDC_ISSUER: issuer }],
    ],
    wrong: [['no', 'must be on or off']],
  },
  PASSWORD_MIN_LENGTH: number('passwordMinLength', 6, 128),
};
