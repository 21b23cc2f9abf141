import * as field from '@customer-database/contract/fields';
import { limits } from '@customer-database/contract/limits';
import { z } from 'zod';

/** Providers send booleans in several types. */
const isTrue = (claim: unknown) => [true, 1, 'true', '1'].some((value) => value === claim);

const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().min(1),
  // A value that our forms would refuse counts as missing.
  name: field.requiredLine('Name', limits.nameLength).optional().catch(undefined),
  email: field.email.optional().catch(undefined),
  email_verified: z.unknown().optional(),
  /** Entra ID has no `email_verified`; this claim says that the owner of the domain was verified. */
  xms_edov: z.unknown().optional(),
  /** In seconds. */
  auth_time: z.number().optional().catch(undefined),
  groups: z.array(z.string()).catch([]),
  roles: z.array(z.string()).catch([]),
});

/** The user as the claims describe them. */
export type OidcUser = {
  issuer: string;
  subject: string;
  /** For the log, verified or not. */
  label: string;
  name: string | undefined;
  /** Only if the provider has verified it and NFKC does not change it. */
  email: string | undefined;
  groups: string[];
  /** When the user last authenticated at the provider, in milliseconds; not every provider sends it. */
  provenAt: number | undefined;
};

/**
 * We compare emails after NFKC, which turns 'ｇina@' into 'gina@'. At the provider these may be two users, so an email
 * that NFKC changes identifies neither.
 */
const isNormal = (email: string | undefined) => email?.normalize('NFKC') === email;

export function readClaims(claims: object): OidcUser {
  const { iss, sub, name, email, email_verified, xms_edov, auth_time, groups, roles } =
    claimsSchema.parse(claims);
  return {
    issuer: iss,
    subject: sub,
    label: email ?? name ?? sub,
    name,
    email: (isTrue(email_verified) || isTrue(xms_edov)) && isNormal(email) ? email : undefined,
    groups: [...groups, ...roles],
    provenAt: auth_time === undefined ? undefined : auth_time * 1000,
  };
}
