import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { startMailTest } from '@customer-database/testkit/mail-test';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { describe, expect, it } from 'vitest';
import { reportUnusualReading } from '../../src/modules/accounts/alerts/alerts.ts';

const limit = 3;

async function makeADocument(admin: TestUser): Promise<number> {
  const { id } = await makeCustomer(admin.client);
  return (await makeDocument(admin.client, id)).id;
}

/** As the buttons do: a link, and the file through it. */
async function read(
  app: TestApp,
  { client }: TestUser,
  document: number,
  how: 'view' | 'download',
  times: number,
) {
  for (let time = 0; time < times; time += 1) {
    const { body } = await client.get(`/api/documents/${document}/${how}`);
    const { pathname, search } = new URL(body.view_url ?? body.download_url);
    const response = await fetch(app.url + pathname + search);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
  }
}

const reportsIn = async ({ client }: TestUser) =>
  (await client.get('/api/activity?action=reading.unusual')).body.activity;

const marksFor = async ({ client }: TestUser) => (await client.get('/api/dashboard')).body.unusual_reading;

const hourMs = 3_600_000;

async function startWith(env: Record<string, string>): Promise<{ app: TestApp; admin: TestUser }> {
  const app = await startTestApp({ env });
  return { app, admin: await makeUser(app, 'admin') };
}

describe('More views and downloads by one user in an hour than the limit', () => {
  it('add a row, send a mail to every administrator and a mark on their dashboard', async () => {
    const mail = await startMailTest({ UNUSUAL_READS_PER_HOUR: String(limit) });
    const { app, admin } = mail;
    const other = await makeUser(app, 'admin');
    const [reader, colleague] = [
      await makeUser(app, 'staff', { name: 'Rita Reader' }),
      await makeUser(app, 'staff'),
    ];
    const document = await makeADocument(admin);
    await read(app, reader, document, 'view', 2);
    await read(app, reader, document, 'download', 1);
    await read(app, colleague, document, 'view', 1);
    await reportUnusualReading(app.deps);
    expect(await reportsIn(admin)).toEqual([]);
    expect(await marksFor(admin)).toEqual([]);

    await read(app, reader, document, 'download', 1);
    await reportUnusualReading(app.deps);
    await reportUnusualReading(app.deps);
    expect(await reportsIn(admin)).toMatchObject([
      { actor_name: 'system', subject_id: reader.id, detail: { views: 2, downloads: 2 } },
    ]);
    const mark = { user_id: reader.id, name: 'Rita Reader', at: expect.any(String), views: 2, downloads: 2 };
    expect(await marksFor(other)).toEqual([mark]);
    expect(await marksFor(reader)).toBeNull();
    for (const { email } of [admin, other]) {
      const received = await mail.onlyMailTo(email);
      expect(received.email.subject).toBe('Unusually many documents opened in the customer database');
      expect(received.email.text).toContain(
        `Person: Rita Reader (${reader.email})\nViews: 2\nDownloads: 2\n`,
      );
    }
    expect(mail.mailsTo(reader.email)).toEqual([]);
  });

  it('are reported once an hour, and their mark goes after four days', async () => {
    const { app, admin } = await startWith({ UNUSUAL_READS_PER_HOUR: String(limit) });
    const document = await makeADocument(admin);
    await read(app, admin, document, 'view', limit + 1);
    await reportUnusualReading(app.deps);
    app.clock.advance(hourMs / 2);
    await read(app, admin, document, 'view', limit + 1);
    await reportUnusualReading(app.deps);
    expect(await reportsIn(admin)).toHaveLength(1);
    app.clock.advance(hourMs / 2 + 60_000);
    await reportUnusualReading(app.deps);
    expect(await reportsIn(admin)).toHaveLength(2);
    app.clock.advance(2 * hourMs);
    await reportUnusualReading(app.deps);
    expect(await reportsIn(admin)).toHaveLength(2);
    expect(await marksFor(admin)).toHaveLength(2);
    app.clock.advance(4 * 24 * hourMs);
    expect(await marksFor(await makeUser(app, 'admin'))).toEqual([]);
  });

  it('are not reported where the setting is 0', async () => {
    const { app, admin } = await startWith({ UNUSUAL_READS_PER_HOUR: '0' });
    await read(app, admin, await makeADocument(admin), 'view', limit + 1);
    await reportUnusualReading(app.deps);
    expect(await reportsIn(admin)).toEqual([]);
  });
});
