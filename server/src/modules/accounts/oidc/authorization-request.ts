import type { Configuration } from 'openid-client';
import type { Deps } from '../../../core/deps.ts';
import { type OidcUser, readClaims } from './claims.ts';
import { findProvider, openid } from './provider.ts';
import type { State } from './state-cookie.ts';

const redirectUri = ({ config }: Deps) => `${config.publicUrl}/api/auth/oidc/callback`;

/** To confirm a session, the user must have authenticated at the provider this recently. */
const confirmMaxAgeSeconds = 300;

/** The URL at the provider, and the state that the callback must match. */
export type AuthorizationRequest = { url: URL; state: Omit<State, 'expires'> };

export async function createAuthorizationRequest(
  deps: Deps,
  confirms: boolean,
): Promise<AuthorizationRequest> {
  const provider = await findProvider(deps);
  const client = await openid();
  const verifier = client.randomPKCECodeVerifier();
  const state = { state: client.randomState(), nonce: client.randomNonce(), verifier, confirms };
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(deps),
    scope: 'openid email profile',
    state: state.state,
    nonce: state.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(confirms && { prompt: 'login', max_age: String(confirmMaxAgeSeconds) }),
  });
  return { url, state };
}

/** Some providers send email and groups only here, and not in the ID token. */
async function fetchUserInfoClaims(provider: Configuration, accessToken: string, subject: string) {
  if (!provider.serverMetadata().userinfo_endpoint) return {};
  const { fetchUserInfo } = await openid();
  return fetchUserInfo(provider, accessToken, subject);
}

/**
 * Exchanges the code of the callback for the claims of the user. The library verifies state, issuer, signature,
 * audience, expiry and nonce; the provider verifies the code and its PKCE verifier.
 */
export async function exchangeCode(deps: Deps, callback: URL, state: State): Promise<OidcUser> {
  const provider = await findProvider(deps);
  const { authorizationCodeGrant } = await openid();
  const tokens = await authorizationCodeGrant(provider, callback, {
    expectedState: state.state,
    expectedNonce: state.nonce,
    pkceCodeVerifier: state.verifier,
    idTokenExpected: true,
    ...(state.confirms && { maxAge: confirmMaxAgeSeconds }),
  });
  const idClaims = tokens.claims();
  if (!idClaims) throw new Error('the provider sent no ID token');
  const moreClaims =
    'email' in idClaims ? {} : await fetchUserInfoClaims(provider, tokens.access_token, idClaims.sub);
  return readClaims({ ...moreClaims, ...idClaims });
}
