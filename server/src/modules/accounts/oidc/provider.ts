import type { Configuration } from 'openid-client';
import type { Deps } from '../../../core/deps.ts';
import { AppError } from '../../../http/errors.ts';

const timeoutSeconds = 10;
// Keys and addresses of a provider change, but rarely.
const keptMs = 3_600_000;

export type Library = typeof import('openid-client');

/** Loaded when it is first needed. */
export const openid = (): Promise<Library> => import('openid-client');

type Kept = { found: Promise<Configuration>; at: number };
const kept = new WeakMap<Deps['config'], Kept>();

async function discover({ config }: Deps): Promise<Configuration> {
  const { oidc } = config;
  if (!oidc) throw new AppError('NOT_FOUND', 'There is nothing at this address');
  const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await openid();
  const { issuer, clientId, clientSecret } = oidc;
  return discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: timeoutSeconds,
    execute: [
      // By default the library trusts the connection, and verifies no signature.
      enableNonRepudiationChecks,
      // The settings allow it on this machine only.
      ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
    ],
  });
}

/** What the provider says of itself. A failure is not kept. */
export async function findProvider(deps: Deps): Promise<Configuration> {
  const now = deps.clock.now().getTime();
  const known = kept.get(deps.config);
  if (known && now - known.at < keptMs) return known.found;
  const found = discover(deps);
  kept.set(deps.config, { found, at: now });
  found.catch(() => kept.delete(deps.config));
  return found;
}
