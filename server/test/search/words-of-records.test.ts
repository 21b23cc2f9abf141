import { createCustomerInput } from '@customer-database/contract/customers';
import { extractionLimits } from '@customer-database/extractor/protocol';
import { customerFields, makeCustomer, makeDocument, makeUser } from '@customer-database/testkit/factories';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { untilWaiting, whileHolding } from '@customer-database/testkit/locks';
import { search, waitUntilRead } from '@customer-database/testkit/search';
import { seededRandom } from '@customer-database/testkit/seeded-random';
import { startTestApp } from '@customer-database/testkit/test-app';
import { hitsIn } from '@customer-database/words/hits';
import { parseQuestion } from '@customer-database/words/question';
import { vectorOf } from '@customer-database/words/vector';
import { tokenizerVersion } from '@customer-database/words/words';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';

const app = await startTestApp({ withJobs: true });
const admin = await makeUser(app, 'admin');

const foundCustomers = async (q: string) => (await search(admin.client, q)).customers.items;
const foundDocuments = async (q: string) =>
  (await search(admin.client, q)).documents.items.map(({ filename }) => filename);

const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'aß½№йİς٣ـ\u00ad\u200b\u0301ก็ｶﾞ合同ー一 -’'), maxLength: 40 }),
  )
  .map((name) => name.normalize())
  .filter((name) => createCustomerInput.safeParse(customerFields({ name })).success)
  .filter((name) => parseQuestion(`"${name}"`).length === 1);

it('Whatever a question of any characters finds is also highlighted', async () => {
  const property = fc.asyncProperty(anyName, fc.boolean(), async (name, isPhrase) => {
    const { id } = await makeCustomer(admin.client, { name });
    const question = isPhrase ? `"${name.replaceAll('"', ' ')}"` : name.replaceAll(/["-]/g, ' ');
    const terms = parseQuestion(question);
    const found = await search(admin.client, question, { limit: 50 });
    if (found.customers.count <= 50) expect(found.customers.items.map((each) => each.id)).toContain(id);
    for (const { created_at: _, updated_at: __, id: ___, ...fields } of found.customers.items) {
      const hits = Object.values(fields).flatMap((text) => [...hitsIn(text ?? '', terms)]);
      expect(hits, JSON.stringify({ question, fields })).not.toEqual([]);
    }
  });
  await fc.assert(property, { seed: 20261119, numRuns: 60 });
});

it('PostgreSQL takes the words of the longest page, all different', async () => {
  const { charactersPerPage } = extractionLimits;
  const next = seededRandom(1);
  const page = String.fromCodePoint(
    ...Array.from({ length: charactersPerPage }, () => 0x4e00 + next(20_000)),
  );
  const { rows } = await app.pool.query('select length($1::tsvector) as words', [vectorOf(page)]);
  expect(rows[0].words).toBeGreaterThan(0.99 * charactersPerPage);
});

it('PostgreSQL takes a character with any number of marks', async () => {
  const description = `กข${'\u0e49'.repeat(900)}`;
  const { id } = await makeCustomer(admin.client);
  const overrides = { filename: 'marks.txt', mime_type: 'text/plain', description };
  await makeDocument(admin.client, id, overrides, Buffer.from(`${description} pear`));
  await waitUntilRead(admin.client);
  expect(await foundDocuments('กข')).toEqual(['marks.txt']);
  expect((await search(admin.client, 'pear')).pages.count).toBe(1);
});

it('No phrase matches across two fields', async () => {
  const { id } = await makeCustomer(admin.client, {
    name: 'Quinoa',
    email: 'teff@example.org',
    city: 'Millet',
  });
  const overrides = { filename: 'spelt.txt', mime_type: 'text/plain', description: 'barley' };
  await makeDocument(admin.client, id, overrides, Buffer.from('Sorghum'));
  expect(await foundCustomers('"quinoa teff"')).toEqual([]);
  expect(await foundDocuments('"txt barley"')).toEqual([]);
  expect(await foundDocuments('"barley quinoa"')).toEqual([]);
  expect(await foundDocuments('"spelt txt" barley quinoa teff')).toEqual(['spelt.txt']);
  expect(await foundDocuments('spelt millet')).toEqual([]);
});

it('Words that another version of the tokenizer prepared are prepared again, newest first', async () => {
  const { id } = await makeCustomer(admin.client, { name: 'Élise Weiß' });
  const overrides = { filename: 'farm.txt', mime_type: 'text/plain', description: null };
  await makeDocument(admin.client, id, overrides, Buffer.from('An aubergine'));
  await waitUntilRead(admin.client);
  const renamed = await makeCustomer(admin.client, { name: 'Before Wedding' });
  await app.pool.query(`
    insert into customers (name, created_at, updated_at)
    select 'Number ' || n, now(), now() from generate_series(1, 600) as n;
    update customers set words = '' where words <> '';
    update documents set words = '';
    update document_pages set words = '';
    delete from document_words;
    update prepared_words set tokenizer = 0`);
  expect(await foundCustomers('weiss')).toEqual([]);

  // The job waits for a user who is changing a customer, and leaves the new words as they are.
  const rename = () => admin.client.put(`/api/customers/${renamed.id}`, { name: 'After Wedding' });
  const [answer] = await whileHolding(
    app.pool,
    (client) => client.query('select from customers where id = $1 for no key update', [renamed.id]),
    () => [rename()],
    async () => {
      await enqueueScheduled(app.deps.db, 'prepare-words');
      await untilWaiting(app.pool, 2);
    },
  );
  expect(answer?.status).toBe(200);

  await vi.waitFor(
    async () => {
      const { rows } = await app.pool.query(
        'select max(next_id) as next, min(tokenizer) as v from prepared_words',
      );
      expect(rows).toEqual([{ next: 0, v: tokenizerVersion }]);
    },
    { timeout: 30_000, interval: 50 },
  );
  const { rowCount } = await app.pool.query(`select from customers where words = ''`);
  expect(rowCount).toBe(0);
  expect((await foundCustomers('weiss')).map((each) => each.id)).toEqual([id]);
  expect(await foundDocuments('weiss farm')).toEqual(['farm.txt']);
  expect((await search(admin.client, 'aubergin')).pages.count).toBe(1);
  expect(await foundCustomers('before wedding')).toEqual([]);
  expect(await foundCustomers('after wedding')).toHaveLength(1);
}, 60_000);
