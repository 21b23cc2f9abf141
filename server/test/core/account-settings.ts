import { httpText, number, type Setting, secret } from './setting-kinds.ts';

const email = 'a@company.com';

const issuer = 'https://id.company.com';
const oidc = { OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'shared', PUBLIC_URL: 'https://a.company.com' };
const withIssuer = { ...oidc, OIDC_ISSUER: issuer };
const provider = {
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
    good: [[email, { firstAdmin: { email, password: 'a long one' } }, { ADMIN_PASSWORD: 'a long one' }]],
    wrong: ['admin', 'a@b', 'a b@company.com'].map((value) => [value, 'must be an email address']),
  },
  ADMIN_PASSWORD: {
    good: [['änder!', { firstAdmin: { email, password: 'änder!' } }, { ADMIN_EMAIL: email }]],
    wrong: [
      ['short', 'must have at least 6 characters'],
      ['Change-Me-1', 'is a placeholder'],
    ],
  },
  INTERNAL_ACCESS_SECRET: secret('internalAccessSecret', 16, ['change-me-change-me']),
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
      ['https://id.company.com', { oidc: provider }, oidc],
      ['http://127.0.0.1:8080', { oidc: { ...provider, issuer: 'http://127.0.0.1:8080' } }, oidc],
    ],
    wrong: [
      ['id.company.com', httpText],
      ['https://id.company.com/?a=b', 'must be without ?, # and @'],
    ],
  },
  OIDC_CLIENT_ID: { good: [['id', { oidc: provider }, withIssuer]], wrong: [] },
  OIDC_CLIENT_SECRET: {
    good: [['shared', { oidc: provider }, withIssuer]],
    wrong: [['change-me', 'is a placeholder']],
  },
  OIDC_NAME: {
    good: [['Acme', { oidc: { ...provider, name: 'Acme' } }, withIssuer]],
    wrong: [['x'.repeat(61), 'must have at most 60 characters']],
  },
  OIDC_PROVISION: {
    good: [
      ['none', { oidc: provider }, withIssuer],
      ['staff', { oidc: { ...provider, provisions: true } }, withIssuer],
    ],
    wrong: [['admin', 'must be none or staff']],
  },
  OIDC_ADMIN_GROUP: {
    good: [['admins', { oidc: { ...provider, adminGroup: 'admins' } }, withIssuer]],
    wrong: [],
  },
  PASSWORD_SIGN_IN: {
    good: [
      ['on', { passwordSignIn: true }],
      ['off', { passwordSignIn: false }, withIssuer],
    ],
    wrong: [['no', 'must be on or off']],
  },
  PASSWORD_MIN_LENGTH: number('passwordMinLength', 6, 128),
};
