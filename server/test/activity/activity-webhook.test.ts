import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterTest } from '@customer-database/testkit/cleanup';
import { makeCustomer, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { freePort } from '@customer-database/testkit/ports';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemContext } from '../../src/core/context.ts';
import { recordActivity } from '../../src/modules/activity/commands.ts';
import { forwardActivity } from '../../src/modules/activity/forwarding/forward.ts';
import { removeOldActivity } from '../../src/modules/activity/seals/retention.ts';
import { sealActivity } from '../../src/modules/activity/seals/seal.ts';

const secret = '5e1f0b7c9d3a4e2f8b6c7d9e0a1b2c3d';
const dayMs = 24 * 3_600_000;

type Delivery = { headers: IncomingMessage['headers']; body: string };

/** A receiver that can go away, refuse, or take a batch without saying so. */
class Receiver {
  readonly deliveries: Delivery[] = [];
  behave: 'take' | 'refuse' | 'cut' | 'redirect' = 'take';
  #server: Server | undefined;
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  async start(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const answer = (status: number, headers = {}) => response.writeHead(status, headers).end();
      if (this.behave === 'refuse') answer(503);
      else if (this.behave === 'redirect') answer(302, { location: '/elsewhere' });
      else {
        this.deliveries.push({ headers: request.headers, body });
        if (this.behave === 'cut') request.socket.destroy();
        else answer(204);
      }
    }).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
  }

  get rows() {
    return this.deliveries.flatMap(({ body }) => JSON.parse(body).activity);
  }
}

let app: TestApp;
let admin: TestUser;
let receiver: Receiver;

async function openWith(env: Record<string, string> = {}): Promise<void> {
  receiver = new Receiver(await freePort());
  await receiver.start();
  afterTest(() => receiver.stop());
  const ACTIVITY_WEBHOOK = `http://127.0.0.1:${receiver.port}/log?source=customers`;
  app = await startTestApp({ env: { ACTIVITY_WEBHOOK, ACTIVITY_WEBHOOK_SECRET: secret, ...env } });
  admin = await makeUser(app, 'admin');
  await makeCustomer(admin.client, { name: 'Before' });
  await forward();
  receiver.deliveries.length = 0;
}

async function forward(): Promise<void> {
  await sealActivity(app.deps);
  await forwardActivity(app.deps);
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

beforeEach(() => openWith());

describe('ACTIVITY_WEBHOOK', () => {
  it('gets each row, numbered and as the API shows it, signed', async () => {
    const { id } = await makeCustomer(admin.client, { name: 'After' });
    await forward();
    const [delivery] = receiver.deliveries;
    const listed = (await admin.client.get(`/api/activity?customer_id=${id}`)).body.activity;
    expect(receiver.rows).toEqual([{ number: 2, ...listed[0] }]);
    const { headers, body = '' } = delivery ?? {};
    const signed = `${headers?.['webhook-id']}.${headers?.['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', secret).update(signed).digest('base64');
    expect(headers?.['webhook-signature']).toBe(`v1,${signature}`);
    expect(Number(headers?.['webhook-timestamp']) * 1000).toBeGreaterThan(app.clock.now().getTime() - 60_000);
    await forward();
    expect(receiver.deliveries).toHaveLength(1);
  });

  it('gets everything later when it was down, refused or redirected, in order', async () => {
    await receiver.stop();
    await makeCustomer(admin.client);
    await expect(forward()).rejects.toThrow();
    await receiver.start();
    for (const behave of ['refuse', 'redirect'] as const) {
      receiver.behave = behave;
      await makeCustomer(admin.client);
      await expect(forward()).rejects.toThrow();
    }
    expect(receiver.deliveries).toEqual([]);
    receiver.behave = 'take';
    const subject = { type: 'user', id: 1, label: 'x' } as const;
    for (let row = 0; row < 250; row += 1) {
      await recordActivity(systemContext(app.deps), 'user.updated', subject);
    }
    await forward();
    expect(receiver.deliveries.length).toBeGreaterThan(2);
    const sent = idsOf(receiver.rows);
    expect(sent).toEqual([...new Set(sent)].sort((one, other) => one - other));
    const { rows } = await app.pool.query(`select id::int from activity where id >= ${sent[0]} order by id`);
    expect(sent).toEqual(idsOf(rows));
    expect(receiver.rows.map(({ number }) => number)).toEqual(sent.map((_, at) => at + 2));
    expect(receiver.rows.filter(({ action }) => action === 'customer.created')).toHaveLength(3);
  });

  it('gets a batch again, under the same id, when it died before it said that it has it', async () => {
    await makeCustomer(admin.client);
    receiver.behave = 'cut';
    await expect(forward()).rejects.toThrow();
    receiver.behave = 'take';
    await forward();
    const [first, second] = receiver.deliveries;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });
});

describe('A person with the password of the database', () => {
  const forge = `insert into activity (at, action, actor_label, subject_type, shown, salt, mac)
    values (now(), 'user.enabled', 'a forger', 'user', false, '', '')`;

  it('gets no forged or changed row signed and sent; the numbers show what is missing', async () => {
    const { id } = await makeCustomer(admin.client);
    await makeCustomer(admin.client);
    await app.pool.query(forge);
    await sealActivity(app.deps);
    await app.pool.query(`alter table activity disable trigger user;
      update activity set actor_label = 'x' where customer_id = ${id}`);
    await forwardActivity(app.deps);
    expect(receiver.rows).toMatchObject([{ number: 3, action: 'customer.created', actor_name: admin.name }]);
    expect(app.logs()).toContain('the activity log was tampered with');
  });

  it.each([
    ['moved on', 'update activity_forwarding set number = 1000, seal_id = 1000'],
    [
      'set to a later seal',
      'update activity_forwarding set (seal_id, seal_hash) = (select id, hash from activity_seals order by id desc limit 1)',
    ],
    ['removed', 'delete from activity_forwarding'],
  ])('keeps no row from being sent by a mark that was %s', async (_, statement) => {
    await makeCustomer(admin.client);
    await sealActivity(app.deps);
    await app.pool.query(statement);
    await forwardActivity(app.deps);
    expect(receiver.rows.map(({ number }) => number)).toEqual([1, 2]);
  });
});

it('rows that wait for the webhook are not removed, however old', async () => {
  await openWith({ ACTIVITY_KEEP_DAYS: '30' });
  receiver.behave = 'refuse';
  const { id } = await makeCustomer(admin.client);
  await expect(forward()).rejects.toThrow();
  app.clock.advance(60 * dayMs);
  admin = await makeUser(app, 'admin');
  await sealActivity(app.deps);
  const isThere = async () =>
    (await admin.client.get(`/api/activity?customer_id=${id}`)).body.activity.length === 1;
  await removeOldActivity(app.deps);
  expect(await isThere()).toBe(true);
  receiver.behave = 'take';
  await forwardActivity(app.deps);
  app.clock.advance(2 * dayMs);
  admin = await makeUser(app, 'admin');
  await sealActivity(app.deps);
  await removeOldActivity(app.deps);
  expect(await isThere()).toBe(false);
  expect(receiver.rows.some((row) => row.customer_id === id)).toBe(true);
});
