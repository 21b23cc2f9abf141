import type { DocumentHitsResponse, HitBox } from '@customer-database/contract/search';
import { activitySince, lastActivityId } from '@customer-database/testkit/activity';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { pdfOf, scannedPage, textPage } from '@customer-database/testkit/pdf-builder';
import { waitUntilRead } from '@customer-database/testkit/search';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let staff: TestUser;
let id: number;

beforeAll(async () => {
  app = await startTestApp({ withJobs: true });
  const admin = await makeUser(app, 'admin');
  staff = await makeUser(app, 'staff');
  const customerId = (await makeCustomer(admin.client)).id;
  const pages = [
    textPage('The hydrangea stays with the house'),
    textPage('Nothing grows here'),
    await scannedPage(pdfOf([textPage('A scanned page', 'with one hydrangea', 'in its second line')])),
  ];
  id = (await makeDocument(admin.client, customerId, { filename: 'garden.pdf' }, pdfOf(pages))).id;
  await waitUntilRead(admin.client);
});

async function hitsOf(q: string): Promise<DocumentHitsResponse['pages']> {
  const { status, body } = await staff.client.get(`/api/documents/${id}/hits?${new URLSearchParams({ q })}`);
  expect(status).toBe(200);
  return body.pages;
}

describe('The hits inside one document', () => {
  it('are its pages with the most of the words, and their positions on scans', async () => {
    const pages = await hitsOf('HYDRANG');
    expect(pages.map(({ page }) => page)).toEqual([1, 3]);
    expect(pages[0]?.boxes).toEqual([]);
    expect(pages[1]?.boxes).toHaveLength(1);
    const box = pages[1]?.boxes[0] as HitBox;
    // In the second line of the page, to the right of 'with one'.
    expect(box.left).toBeGreaterThan(0.15);
    expect(box.top).toBeGreaterThan(0.05);
    expect(box.top + box.height).toBeLessThan(0.25);
    expect(box.width).toBeGreaterThan(3 * box.height);
    expect(box.left + box.width).toBeLessThan(0.6);
  });

  it.each([
    ['one hydrangea', [3]],
    ['"scanned page"', [3]],
    ['hydrangea -house', [1, 3]],
    ['hydrangea nothing', [1, 2, 3]],
    ['scanned nothing hydrangea', [3]],
    ['-house', []],
    ['&|!', []],
  ])('%s', async (q, expected) => {
    expect((await hitsOf(q)).map(({ page }) => page)).toEqual(expected);
  });

  it('mark the words of a phrase only where they are adjacent', async () => {
    const [page] = await hitsOf('"second line"');
    expect(page?.boxes).toHaveLength(2);
  });

  it('are not logged as a view', async () => {
    const before = await lastActivityId(app);
    await hitsOf('hydrangea');
    expect(await activitySince(app, before)).toEqual([]);
  });

  it('are those of an existing document', async () => {
    expect((await staff.client.get('/api/documents/999999/hits?q=a')).status).toBe(404);
  });
});
