import { refuse, requireTogether } from './config-rules.ts';
import type { Settings } from './settings.ts';

export type FirstAdmin = { email: string; password: string };

export type OidcConfig = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Shown on the button. */
  name: string;
  /** Creates accounts for users who were not invited. */
  provisions: boolean;
  /** Its members are administrators, all others staff; undefined keeps the roles given here. */
  adminGroup: string | undefined;
};

/** Tokens in plain HTTP are acceptable only within one machine. */
const isLoopbackUrl = (url: string) => /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/.test(url);

export function oidc(env: Settings): OidcConfig | undefined {
  requireTogether(env, 'OIDC_ISSUER', 'OIDC_CLIENT_ID');
  requireTogether(env, 'OIDC_ISSUER', 'OIDC_CLIENT_SECRET');
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  if (!issuer || !clientId || !clientSecret) return undefined;
  if (!issuer.startsWith('https:') && !isLoopbackUrl(issuer))
    refuse('OIDC_ISSUER', 'must start with https://');
  if (!env.PUBLIC_URL) refuse('PUBLIC_URL', 'must be set when OIDC_ISSUER is: the provider redirects to it');
  return {
    issuer,
    clientId,
    clientSecret,
    name: env.OIDC_NAME,
    provisions: env.OIDC_PROVISION === 'staff',
    adminGroup: env.OIDC_ADMIN_GROUP,
  };
}

export function passwordSignIn(env: Settings): boolean {
  if (env.PASSWORD_SIGN_IN === 'off' && !env.OIDC_ISSUER)
    refuse('PASSWORD_SIGN_IN', 'can only be off when OIDC_ISSUER is set');
  return env.PASSWORD_SIGN_IN === 'on';
}

export function firstAdmin(env: Settings): FirstAdmin | undefined {
  requireTogether(env, 'ADMIN_EMAIL', 'ADMIN_PASSWORD');
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (password && [...password].length < env.PASSWORD_MIN_LENGTH) {
    refuse('ADMIN_PASSWORD', `must have at least ${env.PASSWORD_MIN_LENGTH} characters`);
  }
  return email && password ? { email, password } : undefined;
}
