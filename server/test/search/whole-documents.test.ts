import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { search, snippetText, waitUntilRead } from '@customer-database/testkit/search';
import { startTestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let admin: TestUser;
let calloway: number;
let other: number;

const text = (filename: string, description: string | null = null) => ({
  filename,
  description,
  mime_type: 'text/plain',
});
const makeText = (customer: number, filename: string, content: string, description?: string) =>
  makeDocument(admin.client, customer, text(filename, description), Buffer.from(content));

const foundByText = async (q: string, filters = {}) =>
  (await search(admin.client, q, { in: 'text', ...filters })).pages;
const filenames = async (q: string, filters = {}) =>
  (await foundByText(q, filters)).items.map(({ document }) => document.filename);
const documentsNamed = async (q: string) =>
  (await search(admin.client, q, { in: 'documents' })).documents.items.map(({ filename }) => filename);

/** Different words, too many for one tsvector. */
const serialNumbers = Array.from({ length: 70_000 }, (_, index) => `sn${index * 7919}x`);

beforeAll(async () => {
  const app = await startTestApp({ withJobs: true });
  admin = await makeUser(app, 'admin');
  calloway = (await makeCustomer(admin.client, { name: 'Calloway & Sons' })).id;
  other = (await makeCustomer(admin.client, { name: 'Anna Schmidt' })).id;
  for (const number of [1, 2, 3, 4, 5, 6]) {
    await makeText(calloway, `lease ${number}.txt`, `The covenant number ${number} of this lease`);
  }
  const pages = [
    textPage('Invoice 4711 for the cellar'),
    textPage('Nothing else'),
    textPage('Payable within thirty days, turpentine included'),
    textPage('Turpentine again', 'and an invoice'),
  ];
  await makeDocument(
    admin.client,
    calloway,
    { filename: 'cellar.pdf', description: 'From the archive' },
    pdfOf(pages),
  );
  await makeText(other, 'masonry.txt', 'Strassenbau and masonry');
  await makeText(calloway, 'roads.txt', 'Strassenbau and roads');
  // The last one: it is newer than the others.
  await makeText(other, 'log.txt', 'covenant entry\n'.repeat(20_000));
  await makeText(calloway, 'serial numbers.txt', serialNumbers.join(' '));
  await waitUntilRead(admin.client);
}, 120_000);

describe('A search for words inside of documents', () => {
  it('shows a long document once, with its number of pages, and does not hide others behind it', async () => {
    const { items, count } = await foundByText('covenant', { limit: 200 });
    expect(count).toBe(7);
    expect(items.map(({ document }) => document.filename).sort()).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((number) => `lease ${number}.txt`),
      'log.txt',
    ]);
    const log = items.find(({ document }) => document.filename === 'log.txt');
    expect(log?.more_pages).toBe(100 - 1);
  });

  it.each([
    ['on different pages', 'cellar turpentine', ['cellar.pdf']],
    ['on a page and in the name of the customer', 'calloway invoice', ['cellar.pdf']],
    [
      'on pages, in the name, the description and the customer',
      'pdf archive sons thirty 4711',
      ['cellar.pdf'],
    ],
    ['as a phrase on another page', '"thirty days" 4711', ['cellar.pdf']],
    ['not where a phrase crosses pages', '"cellar nothing"', []],
    ['not where all of them are in the record', 'calloway archive', []],
    ['not where one is missing', 'cellar turpentine masonry', []],
  ])('finds them %s', async (_, q, expected) => {
    expect(await filenames(q)).toEqual(expected);
  });

  it('shows the page with the most of the words, and counts the others like it', async () => {
    const [first] = (await foundByText('invoice turpentine')).items;
    expect(first).toMatchObject({ page: 4, more_pages: 0 });
    expect(first && snippetText(first)).toBe('[Turpentine] again and an [invoice]');
    const [second] = (await foundByText('nothing invoice')).items;
    expect(second?.more_pages).toBe(2);
    const { body } = await admin.client.get(
      `/api/documents/${second?.document.id}/hits?q=nothing+invoice&snippets=2`,
    );
    expect(body.pages.map((page: { page: number }) => page.page)).toEqual([1, 2, 4]);
    expect(body.pages.map(snippetText)).toEqual(['[Invoice] 4711 for the cellar', '[Nothing] else', '']);
  });

  it.each([
    ['the name of the customer', 'strassenbau -schmidt', ['roads.txt']],
    ['the name', 'strassenbau -roads', ['masonry.txt']],
    ['another page', 'cellar -thirty', []],
    ['a phrase on another page', 'cellar -"thirty days"', []],
    ['a phrase of the customer', 'strassenbau -"anna schmidt"', ['roads.txt']],
    ['nothing of it', 'cellar -"days thirty" -masonry', ['cellar.pdf']],
  ])('leaves out documents by %s', async (_, q, expected) => {
    expect(await filenames(q)).toEqual(expected);
  });

  it('leaves out documents that are found by their name, too', async () => {
    expect(await documentsNamed('cellar')).toEqual(['cellar.pdf']);
    expect(await documentsNamed('cellar -turpentine')).toEqual([]);
    expect(await documentsNamed('cellar -"thirty days"')).toEqual([]);
    expect(await documentsNamed('cellar -"days thirty"')).toEqual(['cellar.pdf']);
  });

  it('finds the words of a very large list, also by a new name of its customer', async () => {
    const [first, last] = [serialNumbers[3], serialNumbers[60_000]];
    expect(await filenames(`${first}`)).toEqual(['serial numbers.txt']);
    expect(await filenames(`${last} calloway`)).toEqual(['serial numbers.txt']);
    const { items } = await foundByText(`${last}`);
    expect(items[0]?.page).toBeGreaterThan(100);
    const renamed = await admin.client.put(`/api/customers/${calloway}`, { name: 'Holloway' });
    expect(renamed.status).toBe(200);
    expect(await filenames(`${last} holloway`)).toEqual(['serial numbers.txt']);
    expect(await filenames(`${first} calloway`)).toEqual([]);
    expect(await filenames('cellar holloway turpentine')).toEqual(['cellar.pdf']);
  });

  it('lists up to 200 results', async () => {
    for (let number = 0; number < 51; number += 1)
      await makeText(other, `periwinkle ${number}.txt`, 'A flower');
    const { documents } = await search(admin.client, 'periwinkle', { in: 'documents', limit: 200 });
    expect(documents.items).toHaveLength(51);
  });
});
