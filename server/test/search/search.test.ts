import type { Answer } from '@customer-database/testkit/client';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { whileHolding } from '@customer-database/testkit/locks';
import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { search, snippetText, waitUntilRead } from '@customer-database/testkit/search';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;
let staff: TestUser;
let maria: number;
let contract: number;

const text = (filename: string) => ({ filename, mime_type: 'text/plain', description: null });

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
  admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  const nowak = {
    name: 'María Nowak',
    email: 'm.nowak@example.org',
    phone_number: '+49 30 555 0199',
    street_line: '王府井大街 12',
  };
  maria = (await makeCustomer(admin.client, nowak)).id;
  const other = (await makeCustomer(admin.client, { name: 'Zbigniew Nowakowski', city: 'Kraków' })).id;
  const pages = pdfOf([
    textPage('Rental contract for a garden'),
    textPage('The hydrangea stays with the house'),
  ]);
  contract = (await makeDocument(admin.client, maria, { filename: 'Invoice_2026-05.pdf' }, pages)).id;
  const letter = Buffer.from('The garden contract of Kowalski was cancelled; the house stays empty.');
  await makeDocument(admin.client, other, text('letter.txt'), letter);
  await waitUntilRead(admin.client);
});

async function foundPages(q: string, filters = {}): Promise<string[]> {
  const { pages } = await search(staff.client, q, filters);
  return pages.items.map(({ document, page }) => `${document.filename} ${page}`).sort();
}

const foundDocuments = async (q: string, filters = {}) =>
  (await search(staff.client, q, filters)).documents.items.map(({ filename }) => filename);

const foundCustomers = async (q: string, filters = {}) =>
  (await search(staff.client, q, filters)).customers.items.map(({ name }) => name);

const both = ['Invoice_2026-05.pdf 1', 'letter.txt 1'];

describe('A search finds pages', () => {
  it.each([
    ['all words, in any order, as beginnings', 'STAY hydrang', ['Invoice_2026-05.pdf 2']],
    ['words of several pages', 'contract garden', both],
    ['a phrase', '"garden contract"', ['letter.txt 1']],
    ['whole words only in a phrase', '"gard"', []],
    ['without an excluded word', 'contract -kowalski', ['Invoice_2026-05.pdf 1']],
    ['without an excluded phrase', 'contract -"for a garden"', ['letter.txt 1']],
    ['a phrase without another one', '"garden contract" -"contract garden"', ['letter.txt 1']],
    ['a phrase of the page with a word of its document', '"stays with" nowak', ['Invoice_2026-05.pdf 2']],
    ['nothing for a question without words', '"- *', []],
    ['words of the page together with words of its document', 'nowak hydrangea', ['Invoice_2026-05.pdf 2']],
    ['and the other way round', 'house stays maría invoice', ['Invoice_2026-05.pdf 2']],
  ])('%s', async (_, q, expected) => {
    expect(await foundPages(q)).toEqual(expected);
  });

  it('looking up a repeated word once', async () => {
    const repeated = `${'garden Garden GARDEN '.repeat(8)}contract`;
    expect(await foundPages(repeated)).toEqual(both);
  });

  it('with the hits marked, as data', async () => {
    const { pages } = await search(staff.client, 'hydrang "with the"');
    expect(pages.items.map(snippetText)).toEqual(['The [hydrangea] stays [with the] house']);
    expect(pages.items[0]).toMatchObject({
      document: { id: contract, customer_name: 'María Nowak' },
      page: 2,
    });
  });

  it('of one customer, type or time', async () => {
    expect(await foundPages('contract', { customer_id: maria })).toEqual(['Invoice_2026-05.pdf 1']);
    expect(await foundPages('contract', { type: 'txt' })).toEqual(['letter.txt 1']);
    expect(await foundPages('"rental contract"', { type: 'pdf' })).toEqual(['Invoice_2026-05.pdf 1']);
    const { timeZone } = app.deps.config;
    const today = app.clock.now().toLocaleDateString('sv-SE', { timeZone });
    expect(await foundPages('contract', { from: today, to: today })).toEqual(both);
    expect(await foundPages('contract', { to: '2001-01-31' })).toEqual([]);
  });
});

describe('A search finds customers', () => {
  it.each([
    'maria',
    'nowak maria',
    'berlin nowak',
    '5550199',
    'm.nowak@example',
    '1980-02-29 555',
    '王府',
    '"12"',
  ])('by %s', async (q) => {
    expect(await foundCustomers(q)).toContain('María Nowak');
  });

  it('those first whose name begins with the word', async () => {
    await makeCustomer(admin.client, { name: 'Adam Zbigniew' });
    expect(await foundCustomers('zbigniew')).toEqual(['Zbigniew Nowakowski', 'Adam Zbigniew']);
  });

  it('only where they can match a filter', async () => {
    expect(await foundCustomers('nowak', { customer_id: maria })).toEqual(['María Nowak']);
    expect(await foundCustomers('nowak', { type: 'pdf' })).toEqual([]);
    expect(await foundCustomers('nowak', { in: 'documents' })).toEqual([]);
  });
});

describe('A search finds documents', () => {
  it.each(['invoice', 'maria invoice', 'nowak 2026', 'test docu', '"2026-05"'])('by %s', async (q) => {
    expect(await foundDocuments(q)).toEqual(['Invoice_2026-05.pdf']);
  });

  it('the newest first, page by page, with a count', async () => {
    for (const number of [1, 2, 3]) {
      await makeDocument(
        admin.client,
        maria,
        text(`minutes ${number}.txt`),
        Buffer.from(`Minutes ${number}`),
      );
    }
    expect(await foundDocuments('minutes', { limit: 2 })).toEqual(['minutes 3.txt', 'minutes 2.txt']);
    const last = await search(staff.client, 'minutes', { limit: 2, page: 2, in: 'documents' });
    expect(last.documents).toMatchObject({
      items: [{ filename: 'minutes 1.txt' }],
      count: 3,
      count_is_capped: false,
    });
    const beyond = await search(staff.client, 'minutes', { limit: 2, page: 3, in: 'documents' });
    expect(beyond.documents).toMatchObject({ items: [], count: 3 });
    expect(beyond.customers).toMatchObject({ items: [], count: 0 });
  });

  it('by the new name of a customer, and no longer by the old one', async () => {
    const { id, updated_at } = await makeCustomer(admin.client, { name: 'Before Wedding' });
    await makeDocument(admin.client, id, text('passport.txt'), Buffer.from('A passport'));
    expect(await foundDocuments('before passport')).toEqual(['passport.txt']);
    const saved = await admin.client.put(`/api/customers/${id}`, { name: 'After Wedding', updated_at });
    expect(saved.status).toBe(200);
    expect(await foundDocuments('before passport')).toEqual([]);
    expect(await foundDocuments('after passport')).toEqual(['passport.txt']);
  });

  it('until they are deleted, and their text with them', async () => {
    const { id } = await makeDocument(admin.client, maria, text('gone.txt'), Buffer.from('A vanishing word'));
    await waitUntilRead(admin.client);
    expect(await foundPages('vanishing')).toEqual(['gone.txt 1']);
    await admin.client.delete(`/api/documents/${id}`);
    expect(await foundPages('vanishing')).toEqual([]);
    expect(await foundDocuments('gone')).toEqual([]);
  });
});

describe('A phrase of words that are on too many pages', () => {
  const asked = [
    ['search', () => staff.client.get('/api/search?q="garden contract"&in=text')],
    ['Document Search', () => staff.client.post('/api/documents/search', { text: '"garden contract"' })],
  ] as const;
  // For the database, waiting for a lock is like reading them all.
  const lock = (client: pg.PoolClient) => client.query('lock table document_pages in access exclusive mode');
  const countReduced = async () =>
    (
      await app.pool.query(`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%limit 700%'`)
    ).rowCount;

  it.each(asked)('is looked for on the newest of them, and the answer of the %s says so', async (_, ask) => {
    const [answer] = await whileHolding(
      app.pool,
      lock,
      () => [ask()],
      async () => {
        await expect.poll(countReduced).toBe(1);
      },
    );
    expect(answer?.status).toBe(200);
    const { pages, documents, ...counts } = answer?.body ?? {};
    expect(pages ?? counts).toMatchObject({ count: 1, count_is_capped: true });
    expect((pages?.items[0].document ?? documents[0]).filename).toBe('letter.txt');
  });

  it.each(asked)('ends a second later at the latest, with a text: %s', async (_, ask) => {
    let answered: Promise<Answer> | undefined;
    const start = () => {
      answered = ask();
      return [answered];
    };
    const [answer] = await whileHolding(app.pool, lock, start, async () => {
      await answered;
    });
    expect(answer).toMatchObject({
      status: 503,
      body: {
        error: 'This search takes too long right now. Please add a rarer word, or try again in a moment.',
      },
    });
  });
});

describe('A search refuses', () => {
  it.each([
    ['an unknown group', 'q=a&in=users', 'in must be one of customers, documents, text'],
    ['an unknown type', 'q=a&type=exe', 'type must be one of pdf, docx, doc, txt'],
    ['a day that is none', 'q=a&from=2026-02-30', 'From must be a date like 2026-01-31'],
    ['days in the wrong order', 'q=a&from=2026-02-02&to=2026-02-01', 'From must not be after to'],
    ['too much on a page', 'q=a&limit=201', 'limit must be a whole number from 1 to 200'],
    ['words to exclude alone', 'q=-invoice', 'Enter at least one word to look for'],
    ['too many words', `q=${'a b c d e f g h i j k l m n o p q r s t u'}`, 'Search for at most 20 words'],
    ['too long a question', `q=${'a'.repeat(201)}`, 'Search text must be at most 200 characters'],
    ['unknown parameters', 'q=a&sort=name', ''],
  ])('%s', async (_, query, error) => {
    const { status, body } = await staff.client.get(`/api/search?${query}`);
    expect(status).toBe(400);
    expect(body.error).toContain(error);
  });
});

describe('Any question', () => {
  it.each([
    "o'brien & | ! <-> ( ) :*",
    'contract:*A',
    '\\',
    '%',
    "'; drop table customers",
    '!contract',
    'a:b',
  ])('is plain text: %s', async (q) => {
    expect(await search(staff.client, q)).toMatchObject({ corrected: null });
  });
});

describe('Document Search', () => {
  const searchDocuments = async (filters: object) =>
    (await staff.client.post('/api/documents/search', filters)).body.documents.map(
      ({ filename }: { filename: string }) => filename,
    );

  it('finds documents that contain a text', async () => {
    expect(await searchDocuments({ text: 'contract garden' })).toEqual(['letter.txt', 'Invoice_2026-05.pdf']);
    expect(await searchDocuments({ text: '"garden contract"' })).toEqual(['letter.txt']);
    expect(await searchDocuments({ text: 'contract', customer_name: 'maria' })).toEqual([
      'Invoice_2026-05.pdf',
    ]);
    expect(await searchDocuments({ text: 'contract', date_to: '2001-01-31' })).toEqual([]);
    expect(await searchDocuments({ text: '---' })).toEqual([]);
  });
});
