import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { enqueueScheduled } from '@customer-database/testkit/jobs';
import { search, snippetText, waitUntilRead } from '@customer-database/testkit/search';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let app: TestApp;
let admin: TestUser;

const texts = {
  'desk.txt': 'Eine Schreibtischlampe für 3.180,00 EUR',
  'chair.txt': 'Ein Bürostuhl, gebraucht',
  'lamps.txt': 'Lamps and shades',
  'lamp.txt': 'Die Lampe im Flur',
  'quote.txt': 'A machine for 3,180.00 in total',
  'french.txt': 'Il faut relever les loyers, et elle se relève',
  'phone.txt': 'Call 3181000',
};

async function found(q: string) {
  const { pages, corrected } = await search(admin.client, q, { in: 'text' });
  return { filenames: pages.items.map(({ document }) => document.filename), items: pages.items, corrected };
}

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
  admin = await makeUser(app, 'admin');
  const customer = await makeCustomer(admin.client, { name: 'Erna Kaltenbrunner' });
  for (const [filename, content] of Object.entries(texts)) {
    const overrides = { filename, mime_type: 'text/plain', description: null };
    await makeDocument(admin.client, customer.id, overrides, Buffer.from(content));
  }
  await waitUntilRead(admin.client);
  await enqueueScheduled(app.deps.db, 'collect-words');
  const collected = `select from known_words where word = 'kaltenbrunner'`;
  await vi.waitFor(async () => expect((await app.pool.query(collected)).rowCount).toBe(1), {
    timeout: 30_000,
    interval: 50,
  });
});

describe('A word of four letters and more', () => {
  it('is found inside of longer words, after whole words and beginnings', async () => {
    const lamps = await found('Lampe');
    expect(lamps.filenames).toEqual(['lamp.txt', 'desk.txt']);
    expect(lamps.items.map(snippetText)).toEqual([
      'Die [Lampe] im Flur',
      'Eine [Schreibtischlampe] für 3.180,00 EUR',
    ]);
    expect((await found('stuhl')).filenames).toEqual(['chair.txt']);
    expect((await found('schreibtisch')).filenames).toEqual(['desk.txt']);
    expect((await found('stuhl gebraucht')).filenames).toEqual(['chair.txt']);
  });

  it('is found inside of the words of records', async () => {
    const { customers, documents } = await search(admin.client, 'brunner');
    expect(customers.items.map(({ name }) => name)).toEqual(['Erna Kaltenbrunner']);
    expect(documents.count).toBe(Object.keys(texts).length);
  });

  it('is marked in the document, which says that it is inside of words', async () => {
    const [desk] = (await found('tischlampe')).items;
    const { body } = await admin.client.get(
      `/api/documents/${desk?.document.id}/hits?q=tischlampe&snippets=1`,
    );
    expect(body).toMatchObject({ inside_words: true, pages: [{ page: 1 }] });
    expect(snippetText(body.pages[0])).toContain('[Schreibtischlampe]');
    const whole = await admin.client.get(`/api/documents/${desk?.document.id}/hits?q=schreib`);
    expect(whole.body).toMatchObject({ inside_words: false, pages: [{ page: 1 }] });
  });

  it.each(['uhl', '"stuhl"', 'erna -tischlampe lampe'])('is otherwise not: %s', async (q) => {
    expect((await found(q)).filenames).not.toContain('chair.txt');
  });
});

describe('A word that is a part of another', () => {
  it('is not corrected, whatever it looks like', async () => {
    expect(await found('lampe')).toMatchObject({ corrected: null });
    // Only 'releve' and 'relever' contain it.
    expect(await found('élève')).toMatchObject({ corrected: null, filenames: ['french.txt'] });
  });
});

describe('A number', () => {
  it.each(['3180', '3,180.00', '3.180,00', '3180.00', "3'180", '"3.180,00"'])(
    'is found however its thousands are separated: %s',
    async (q) => {
      expect((await found(q)).filenames.sort()).toEqual(['desk.txt', 'quote.txt']);
    },
  );

  it('is marked as a whole', async () => {
    expect((await found('3180')).items.map(snippetText)).toContain('A machine for [3,180].00 in total');
  });
});

describe('A mistyped word', () => {
  it('is replaced by the more common one of two that are as near', async () => {
    const customer = await makeCustomer(admin.client);
    const contents = ['The harbor', 'A barbor shop', 'Another barbor shop'];
    for (const [number, content] of contents.entries()) {
      const overrides = { filename: `${number}.txt`, mime_type: 'text/plain', description: null };
      await makeDocument(admin.client, customer.id, overrides, Buffer.from(content));
    }
    await waitUntilRead(admin.client);
    expect(await found('qarbor')).toMatchObject({ corrected: 'barbor' });
  });
});
