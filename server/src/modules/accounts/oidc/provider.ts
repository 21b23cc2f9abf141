import type { Configuration } from 'openid-client';
import type { Deps } from '../../../core/deps.ts';
import { notFound } from '../../../http/errors.ts';

const timeoutSeconds = 10;
// Keys and endpoints of a provider change rarely.
const cacheTtlMs = 3_600_000;

export type Library = typeof import('openid-client');

/** Loaded when it is first needed. */
export const openid = (): Promise<Library> => import('openid-client');

type CachedProvider = { provider: Promise<Configuration>; discoveredAt: number };
const cache = new WeakMap<Deps['config'], CachedProvider>();

async function discover({ config }: Deps): Promise<Configuration> {
  const { oidc } = config;
  if (!oidc) throw notFound();
  const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await openid();
  const { issuer, clientId, clientSecret } = oidc;
  return discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: timeoutSeconds,
    execute: [
      // Verifies signatures, which the library does not by default.
      enableNonRepudiationChecks,
      // The settings allow http: on this machine only.
      ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
    ],
  });
}

/** The provider's configuration, cached unless its discovery fails. */
export async function findProvider(deps: Deps): Promise<Configuration> {
  const now = deps.clock.now().getTime();
  const cached = cache.get(deps.config);
  if (cached && now - cached.discoveredAt < cacheTtlMs) return cached.provider;
  const provider = discover(deps);
  cache.set(deps.config, { provider, discoveredAt: now });
  provider.catch(() => cache.delete(deps.config));
  return provider;
}
