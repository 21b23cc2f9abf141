import { isIP } from 'node:net';
import type { PasskeySetupInput, PasskeySignInInput } from '@customer-database/contract/passkeys';
import { type Context, inTransaction, type SignedInContext } from '../../../core/context.ts';
import { isUniqueViolation } from '../../../db/unavailable.ts';
import { AppError } from '../../../http/errors.ts';
import type { Site } from '../../../http/origin.ts';
import { recordActivity } from '../../activity/commands.ts';
import { passwordSignInOff, requireRecentConfirmation } from '../access-rules.ts';
import { requireExistingFactor } from '../mfa/commands.ts';
import { enqueueNotice } from '../notices/notice.ts';
import { consumeOnce, findUserById, lockExistingUser } from '../repo.ts';
import { maySignIn, openSession, recordFailure, type Session } from '../sessions/open-session.ts';
import { markSecondFactor } from '../sessions/repo.ts';
import { forgiveAttempts, ipAddressAttempt, reserveAttempts } from '../throttle/throttle.ts';
import { subjectOf } from '../user.ts';
import { descriptorOf, handleOf, requestAssertion, verifyAssertion, webauthn } from './assertion.ts';
import { openChallenge, sealChallenge } from './challenge.ts';
import * as repo from './repo.ts';

const productName = 'Customer Database';
const maxPasskeys = 20;
const setupPurpose = (userId: number) => `passkey-setup:${userId}`;
const signInPurpose = 'passkey-sign-in';

/** The COSE numbers of EdDSA, ES256 and RS256. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Browsers refuse passkeys where the host is an IP address. */
export const canUsePasskeys = ({ host }: Site) => isIP(host.replace(/^\[|\]$/g, '')) === 0;

/** Without password sign-in, users sign in through the company only: passkeys are off too. */
export function requirePasskeySignIn(ctx: Context): void {
  if (!ctx.deps.config.passwordSignIn) throw passwordSignInOff(ctx);
}

const notFound = () => new AppError('NOT_FOUND', 'Passkey not found');

export function listPasskeys(ctx: SignedInContext): Promise<repo.PasskeyRow[]> {
  return repo.listPasskeys(ctx.db, ctx.signedIn.user.id);
}

export async function startPasskeySetup(ctx: SignedInContext, { host }: Site) {
  await requireExistingFactor(ctx);
  requireRecentConfirmation(ctx);
  const user = await findUserById(ctx.db, ctx.signedIn.user.id);
  if (!user) throw new Error(`user ${ctx.signedIn.user.id} is gone`);
  const known = await repo.listPasskeys(ctx.db, user.id);
  if (known.length >= maxPasskeys)
    throw new AppError('CONFLICT', `You have ${maxPasskeys} passkeys already. Remove one first.`);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: productName,
    rpID: host,
    userID: new Uint8Array(handleOf(user)),
    userName: user.email,
    userDisplayName: user.name,
    excludeCredentials: known.map(descriptorOf),
    // The passkey replaces the password and the code, so it must ask for a finger, a face or a PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs,
  });
  return { options, state: sealChallenge(ctx, setupPurpose(user.id), options.challenge) };
}

export async function verifyPasskeySetup(
  ctx: SignedInContext,
  { origin, host }: Site,
  { state, name, response }: PasskeySetupInput,
): Promise<repo.PasskeyRow> {
  requireRecentConfirmation(ctx);
  const { user, sessionId } = ctx.signedIn;
  const { challenge } = openChallenge(ctx, setupPurpose(user.id), state);
  const { verifyRegistrationResponse } = await webauthn();
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    supportedAlgorithmIDs,
  }).catch(() => undefined);
  if (!result?.verified) throw new AppError('PASSKEY_FAILED', 'The passkey could not be added');
  const { credential } = result.registrationInfo;
  const now = ctx.deps.clock.now();
  return inTransaction(ctx, async (tx) => {
    const account = await lockExistingUser(tx.db, user.id);
    await requireExistingFactor(tx);
    const passkey = await repo.insertPasskey(tx.db, {
      user_id: user.id,
      name,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      created_at: now,
    });
    await markSecondFactor(tx.db, sessionId);
    await enqueueNotice(tx, account, 'passkey', { Passkey: name });
    await recordActivity(tx, 'passkey.added', subjectOf(user), { name });
    return passkey;
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'passkeys_credential_id_key')) throw error;
    throw new AppError('CONFLICT', 'This passkey has been added already');
  });
}

export async function renamePasskey(
  ctx: SignedInContext,
  id: number,
  name: string,
): Promise<repo.PasskeyRow> {
  return inTransaction(ctx, async (tx) => {
    const passkey = await repo.renamePasskey(tx.db, tx.signedIn.user.id, id, name);
    if (!passkey) throw notFound();
    await recordActivity(tx, 'passkey.renamed', subjectOf(tx.signedIn.user), { name });
    return passkey;
  });
}

export async function removePasskey(ctx: SignedInContext, id: number): Promise<void> {
  await requireExistingFactor(ctx);
  requireRecentConfirmation(ctx);
  await inTransaction(ctx, async (tx) => {
    const passkey = await repo.deletePasskey(tx.db, tx.signedIn.user.id, id);
    if (!passkey) throw notFound();
    await recordActivity(tx, 'passkey.removed', subjectOf(tx.signedIn.user), { name: passkey.name });
  });
}

/** The user need not enter an email, because the browser knows its passkeys for this site. */
export async function startPasskeySignIn(ctx: Context, site: Site) {
  requirePasskeySignIn(ctx);
  return requestAssertion(ctx, site, signInPurpose);
}

const signInFailed = () => new AppError('SIGN_IN_FAILED', 'This passkey does not open an account here');

/** Counts as both factors: the device, and the finger, face or PIN that unlocks it. */
export async function finishPasskeySignIn(
  ctx: Context,
  site: Site,
  { state, response }: PasskeySignInInput,
): Promise<Session> {
  requirePasskeySignIn(ctx);
  const { challenge, expiresAt } = openChallenge(ctx, signInPurpose, state);
  const attempts = [ipAddressAttempt(ctx)];
  await reserveAttempts(ctx, attempts);
  const passkey = await repo.findPasskey(ctx.db, response.id);
  const user = passkey && (await findUserById(ctx.db, passkey.user_id));
  // Without an email, WebAuthn demands that the response contains the user handle.
  const hasUserHandle = response.response.userHandle !== undefined;
  const counter =
    passkey && user && hasUserHandle
      ? await verifyAssertion(site, challenge, user, passkey, response)
      : undefined;
  if (!passkey || !user || counter === undefined || !maySignIn(ctx, user)) {
    await recordFailure(ctx, user, user?.email ?? 'unknown', 'passkey');
    throw signInFailed();
  }
  await forgiveAttempts(ctx, attempts);
  return inTransaction(ctx, async (tx) => {
    const current = await lockExistingUser(tx.db, user.id);
    const isFirstUse = await consumeOnce(tx.db, challenge, expiresAt);
    if (!isFirstUse || !maySignIn(tx, current)) throw signInFailed();
    await repo.recordUse(tx.db, passkey.id, counter, tx.deps.clock.now());
    return openSession(tx, current, { hasSecondFactor: true }, { factor: 'passkey' });
  });
}
