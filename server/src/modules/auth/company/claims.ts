import * as field from '@customer-database/contract/fields';
import { limits } from '@customer-database/contract/limits';
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import type { Deps } from '../../../core/deps.ts';
import { findProvider, openid } from './provider.ts';
import type { Journey } from './ticket.ts';

/** Providers write it in many ways. */
const isYes = (told: unknown) => [true, 1, 'true', '1'].some((way) => way === told);

const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  // What could not be entered here is as good as not told.
  name: field.requiredLine('Name', limits.nameLength).optional().catch(undefined),
  email: field.email.optional().catch(undefined),
  email_verified: z.unknown().optional(),
  /** Entra ID has no `email_verified`; this one says that the owner of the domain was verified. */
  xms_edov: z.unknown().optional(),
  /** In seconds. */
  auth_time: z.number().optional().catch(undefined),
  groups: z.array(z.string()).catch([]),
  roles: z.array(z.string()).catch([]),
});

/** What the provider says of somebody. */
export type CompanyUser = {
  issuer: string;
  subject: string;
  /** For the log, verified or not. */
  label: string;
  name: string | undefined;
  /** Only if the provider calls it verified and it is in the form that is compared. */
  email: string | undefined;
  groups: string[];
  /** When they last proved there who they are, in milliseconds; not every provider says it. */
  provenAt: number | undefined;
};

/**
 * Emails are compared after NFKC, which makes 'gina@' of 'ｇina@'. At the provider these may be two people, so an address
 * that NFKC changes says nothing.
 */
const isNormal = (email: string | undefined) => email?.normalize('NFKC') === email;

const redirectUri = ({ config }: Deps) => `${config.publicUrl}/api/auth/oidc/callback`;

/** Whoever confirms that it is them must have signed in at the provider just now. */
const confirmMaxAgeSeconds = 300;

/** Where the browser goes, and what its answer must fit. */
export type Departure = { url: URL; journey: Omit<Journey, 'expires'> };

export async function beginJourney(deps: Deps, confirms: boolean): Promise<Departure> {
  const provider = await findProvider(deps);
  const client = await openid();
  const verifier = client.randomPKCECodeVerifier();
  const journey = { state: client.randomState(), nonce: client.randomNonce(), verifier, confirms };
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(deps),
    scope: 'openid email profile',
    state: journey.state,
    nonce: journey.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(confirms && { prompt: 'login', max_age: String(confirmMaxAgeSeconds) }),
  });
  return { url, journey };
}

/** Some providers tell email and groups only here. */
async function userInfo(provider: Configuration, accessToken: string, subject: string) {
  if (!provider.serverMetadata().userinfo_endpoint) return {};
  const { fetchUserInfo } = await openid();
  return fetchUserInfo(provider, accessToken, subject);
}

/**
 * Exchanges the code of the answer. The library verifies state, issuer, signature, audience, expiry and nonce; the
 * provider, the code and its PKCE verifier.
 */
export async function endJourney(deps: Deps, answer: URL, journey: Journey): Promise<CompanyUser> {
  const provider = await findProvider(deps);
  const { authorizationCodeGrant } = await openid();
  const tokens = await authorizationCodeGrant(provider, answer, {
    expectedState: journey.state,
    expectedNonce: journey.nonce,
    pkceCodeVerifier: journey.verifier,
    idTokenExpected: true,
    ...(journey.confirms && { maxAge: confirmMaxAgeSeconds }),
  });
  const told = tokens.claims();
  if (!told) throw new Error('the provider sent no ID token');
  const more = 'email' in told ? {} : await userInfo(provider, tokens.access_token, told.sub);
  const { iss, sub, name, email, email_verified, xms_edov, auth_time, groups, roles } = claims.parse({
    ...more,
    ...told,
  });
  return {
    issuer: iss,
    subject: sub,
    label: email ?? name ?? sub,
    name,
    email: (isYes(email_verified) || isYes(xms_edov)) && isNormal(email) ? email : undefined,
    groups: [...groups, ...roles],
    provenAt: auth_time === undefined ? undefined : auth_time * 1000,
  };
}
