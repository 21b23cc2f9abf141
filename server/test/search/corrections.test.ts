import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { search, snippetText, waitUntilRead } from '@customer-database/testkit/search';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let app: TestApp;
let admin: TestUser;
let customerId: number;

const makeText = async (filename: string, text: string) => {
  const overrides = { filename, mime_type: 'text/plain', description: null };
  return (await makeDocument(admin.client, customerId, overrides, Buffer.from(text))).id;
};

const isKnown = async (word: string) => {
  const { rowCount } = await app.pool.query('select from known_words where word = $1', [word]);
  return rowCount === 1;
};

/** Runs the job until its effect is in the database. */
async function runJob(name: string, isDone: () => Promise<boolean>): Promise<void> {
  await enqueueScheduled(app.deps.db, name);
  await vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 30_000, interval: 50 });
}

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client, { name: 'María Wiśniewska' })).id;
  await makeText('agreement.txt', 'The rental contract of 2026 about a Gartengrundstück with hydrangeas');
  await waitUntilRead(admin.client);
  await runJob('collect-words', () => isKnown('wisniewska'));
});

describe('A mistyped word', () => {
  it.each([
    ['letters swapped', 'contarct', 'contract'],
    ['letters swapped at the beginning', 'ocntract', 'contract'],
    ['a letter missing', 'contrct', 'contract'],
    ['a letter too many', 'conttract', 'contract'],
    ['a wrong letter', 'contravt', 'contract'],
    ['not typed to its end', 'hydragne', 'hydrangeas'],
    ['without its accents', 'gartengrudnstuck', 'gartengrundstuck'],
    ['among others', 'rental contarct -nothing', 'rental contract -nothing'],
    ['in a phrase', '"rental contarct"', '"rental contract"'],
  ])('with %s finds what was meant, and says so', async (_, q, corrected) => {
    const found = await search(admin.client, q);
    expect(found.corrected).toBe(corrected);
    expect(found.pages.items.map(({ document }) => document.filename)).toEqual(['agreement.txt']);
    expect(found.pages.items.map(snippetText).join()).toMatch(/\[(rental )?[a-zü]+\]/iu);
  });

  it('finds customers and documents', async () => {
    const found = await search(admin.client, 'mraia wisniwska');
    expect(found.corrected).toBe('maria wisniewska');
    expect(found.customers.items.map(({ id }) => id)).toEqual([customerId]);
    expect((await search(admin.client, 'agreemnet')).documents.count).toBe(1);
  });

  it.each(['zzyzx', '2062', 'qx'])('that is like no other is left as it is: %s', async (q) => {
    expect(await search(admin.client, q)).toMatchObject({ corrected: null, pages: { count: 0 } });
  });

  it('is not guessed where the word exists, but not here', async () => {
    expect(await search(admin.client, 'contract', { type: 'pdf' })).toMatchObject({ corrected: null });
  });

  it('is not replaced by a word that was deleted, and that word is deleted from the known ones', async () => {
    const id = await makeText('gone.txt', 'An ephemeral thing');
    await waitUntilRead(admin.client);
    expect((await search(admin.client, 'ephemerla')).corrected).toBe('ephemeral');
    await admin.client.delete(`/api/documents/${id}`);
    expect((await search(admin.client, 'ephemerla')).corrected).toBeNull();
    await runJob('forget-words', async () => !(await isKnown('ephemeral')));
    expect([await isKnown('contract'), await isKnown('wisniewska'), await isKnown('agreement')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
