import type { Answer } from '@customer-database/testkit/client';
import { makeAccount, makeUser, testPassword, unique } from '@customer-database/testkit/factories';
import {
  behindProxy,
  login,
  mfaToken,
  newAddress,
  verifyLogin,
  wrongPassword,
} from '@customer-database/testkit/sign-in';
import { stopClock } from '@customer-database/testkit/stopped-clock';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { enableMfa, nextTotpCode, wrongTotpCode } from '@customer-database/testkit/totp';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { unlock } from '../../src/modules/accounts/users/reset-credentials.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ env: behindProxy });
  stopClock(app);
});

const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

async function failFrom(
  email: string,
  addresses: string[],
  server = app,
): Promise<{ seen: number; held: number }> {
  const answers = await Promise.all(addresses.map((address) => login(server, email, wrongPassword, address)));
  return { seen: count(answers, 401), held: count(answers, 429) };
}

const newAddresses = (length: number) => Array.from({ length }, newAddress);
const same = (address: string, length: number) => Array<string>(length).fill(address);
const waitOf = (answer: Answer) => Number(answer.headers.get('retry-after'));

describe('one account guessed from many addresses', () => {
  it('is throttled as a whole, for at most a minute', async () => {
    const { email } = await makeAccount(app, 'staff');
    expect(await failFrom(email, newAddresses(23))).toEqual({ seen: 21, held: 2 });
    for (let round = 0; round < 6; round += 1) {
      app.clock.advance(60_000);
      expect(await failFrom(email, newAddresses(1))).toEqual({ seen: 1, held: 0 });
    }
    const held = await login(app, email, testPassword, newAddress());
    expect(held.status).toBe(429);
    expect(waitOf(held)).toBe(60);
    app.clock.advance(60_000);
    expect((await login(app, email, testPassword, newAddress())).status).toBe(200);
  });

  it('is not throttled in a network where its user, and not only another one, signed in before', async () => {
    const [owner, other] = [await makeAccount(app, 'admin'), await makeAccount(app, 'admin')];
    const elsewhere = newAddress();
    expect((await login(app, owner.email, testPassword, '2001:db8:5:6::a')).status).toBe(200);
    expect((await login(app, other.email, testPassword, elsewhere)).status).toBe(200);
    expect((await failFrom(owner.email, newAddresses(22))).held).toBeGreaterThan(0);
    expect((await login(app, owner.email, testPassword, '2001:db8:5:6::b')).status).toBe(200);
    for (const address of ['2001:db8:5:7::a', elsewhere])
      expect((await login(app, owner.email, testPassword, address)).status).toBe(429);
  });

  it('is still throttled at its known address', async () => {
    const { email } = await makeAccount(app, 'staff');
    const desk = newAddress();
    await login(app, email, testPassword, desk);
    expect(await failFrom(email, same(desk, 8))).toEqual({ seen: 6, held: 2 });
    expect((await login(app, email, testPassword, desk)).status).toBe(429);
    expect((await login(app, email, testPassword, newAddress())).status).toBe(200);
  });
});

describe('the codes of one administrator guessed from many addresses', () => {
  async function makeOwner() {
    const owner = await makeUser(app, 'admin');
    const { secret } = await enableMfa(app, owner);
    const desk = newAddress();
    const send = async (code: string, address: string) =>
      verifyLogin(app, await mfaToken(app, owner.email, address), code, address);
    const signIn = (address: string) => send(nextTotpCode(app, secret), address);
    const guess = (address: string) => send(wrongTotpCode(secret, app.clock.now()), address);
    expect((await signIn(desk)).status).toBe(200);
    return { id: owner.id, desk, signIn, guess };
  }

  /** Guesses for two minutes as fast as the throttle allows; resolves to the number of guesses. */
  async function guessOn(guess: () => Promise<Answer>): Promise<number> {
    const end = app.clock.now().getTime() + 120_000;
    let seen = 0;
    while (app.clock.now().getTime() < end && seen < 20) {
      const answer = await guess();
      if (answer.status === 401) seen += 1;
      else app.clock.advance(waitOf(answer) * 1000);
    }
    return seen;
  }

  it('throttle sign-ins from elsewhere, but not from where they signed in before, until an unlock', async () => {
    const { id, desk, signIn, guess } = await makeOwner();
    expect(await guessOn(() => guess(newAddress()))).toBeLessThan(20);
    expect((await guess(newAddress())).status).toBe(401);
    expect((await signIn(desk)).status).toBe(200);
    const held = await signIn(newAddress());
    expect(held.status).toBe(429);
    expect(waitOf(held)).toBeGreaterThan(60);
    await unlock(systemContext(app.deps), id);
    expect((await signIn(newAddress())).status).toBe(200);
  });

  it('are slow to guess also where they signed in before, until an unlock', async () => {
    const { id, desk, signIn, guess } = await makeOwner();
    expect(await guessOn(() => guess(desk))).toBeLessThan(20);
    expect((await guess(desk)).status).toBe(401);
    expect((await signIn(desk)).status).toBe(429);
    expect((await signIn(newAddress())).status).toBe(200);
    await unlock(systemContext(app.deps), id);
    expect((await signIn(desk)).status).toBe(200);
  });
});

describe('many accounts guessed from one address', () => {
  it('throttle the address, and a successful sign-in in between does not clear that', async () => {
    const { email } = await makeAccount(app, 'staff');
    const address = newAddress();
    const guess = (length: number) =>
      Promise.all(
        Array.from({ length }, () => login(app, `${unique('guess')}@example.com`, wrongPassword, address)),
      );
    for (let round = 0; round < 5; round += 1) {
      expect(count(await guess(9), 401)).toBe(9);
      if (round < 4) expect((await login(app, email, testPassword, address)).status).toBe(200);
    }
    const answers = await guess(5);
    expect([count(answers, 401), count(answers, 429)]).toEqual([1, 4]);
    expect((await login(app, email, testPassword, address)).status).toBe(429);
    expect((await login(app, email, testPassword, newAddress())).status).toBe(200);
  });

  it('counts the 2^64 addresses of one IPv6 network as one', async () => {
    const { email } = await makeAccount(app, 'staff');
    const addresses = Array.from({ length: 8 }, (_, n) => `2001:db8:7:8::${n + 1}`);
    expect(await failFrom(email, addresses)).toEqual({ seen: 6, held: 2 });
    expect((await login(app, email, testPassword, '2001:db8:7:8:ffff:1:2:3')).status).toBe(429);
    expect((await login(app, email, testPassword, '2001:db8:7:9::1')).status).toBe(200);
  });

  it('distinguishes IPv4 addresses in IPv6 notation, and recognises them in both', async () => {
    const { email } = await makeAccount(app, 'staff');
    expect(await failFrom(email, same('::ffff:198.51.100.1', 8))).toEqual({ seen: 6, held: 2 });
    expect((await login(app, email, testPassword, '198.51.100.1')).status).toBe(429);
    expect((await login(app, email, testPassword, '::ffff:198.51.100.2')).status).toBe(200);
  });
});

describe('where a request comes from', () => {
  it('cannot be forged: without a trusted proxy X-Forwarded-For is ignored', async () => {
    const bare = await startTestApp();
    stopClock(bare);
    const { email } = await makeAccount(bare, 'staff');
    expect(await failFrom(email, newAddresses(8), bare)).toEqual({ seen: 6, held: 2 });
    const { rows } = await bare.pool.query('select distinct address from activity');
    expect(rows).toEqual([{ address: '127.0.0.1' }]);
  });

  it('is what the trusted proxy saw, whatever the caller sent', async () => {
    const { id, email } = await makeAccount(app, 'staff');
    const real = newAddress();
    const forged = newAddresses(8).map((address) => `${address}, ${real}`);
    expect(await failFrom(email, forged)).toEqual({ seen: 6, held: 2 });
    const { rows } = await app.pool.query('select distinct address from activity where subject_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ address: real }]);
  });
});
