import { createClient } from '@customer-database/testkit/client';
import { chromium, type Locator, type Page } from '@playwright/test';
import { findOrInstallChromium } from '../../scripts/chromium.js';
import type { Facts } from './facts.ts';
import { password } from './people.ts';
import { pdfWithPictures } from './samples.ts';

/** Milliseconds until the content is visible: the median of some attempts. */
export type ScreenTimes = Map<string, number>;

type Visit = { name: string; go: (page: Page) => Promise<void>; shows: (page: Page) => Locator };

const firstRow = (page: Page) => page.getByRole('main').getByRole('row').nth(1);

const openScreen = (name: string, path: string, shows: Visit['shows'] = firstRow): Visit => ({
  name,
  go: async (page) => void (await page.goto(path)),
  shows,
});

/** Types as quickly as a person who knows the name. */
async function type(box: Locator, text: string, found: Locator): Promise<void> {
  await box.fill('');
  await found.waitFor({ state: 'hidden' });
  await box.pressSequentially(text, { delay: 60 });
}

const largePdf = 'bench-pictures.pdf';

function visits(facts: Facts): Visit[] {
  const lastPage = (noun: 'customers' | 'documents') => Math.ceil(facts[noun] / 50);
  const [name = '', broad = ''] = [facts.selectiveNames[0], facts.broadNames[0]];
  const query = (filters: Record<string, string>) => new URLSearchParams(filters);
  const part = facts.selectiveNames.find((one) => /^\p{ASCII}{5}/u.test(one))?.slice(0, 5) ?? '';
  const found = (page: Page) =>
    page
      .getByRole('option')
      .filter({ hasText: new RegExp(part, 'i') })
      .first();
  return [
    openScreen('dashboard', '/dashboard', (page) =>
      page.getByText(facts.customers.toLocaleString('en'), { exact: true }).first(),
    ),
    openScreen('all customers', '/customers/all'),
    openScreen('all customers, last page', `/customers/all?page=${lastPage('customers')}`),
    openScreen('customer search, one name', `/customers?${query({ name })}`),
    openScreen('customer search, broad', `/customers?${query({ name: broad })}`),
    openScreen('a customer', `/customers/${facts.ownerIds[0]}`),
    openScreen('all documents', '/documents/all'),
    openScreen('all documents, last page', `/documents/all?page=${lastPage('documents')}`),
    openScreen('document search', `/documents?${query({ filename: facts.filenames[0] ?? '' })}`),
    openScreen('a document', `/documents/${facts.documentIds[0]}`, (page) =>
      page
        .getByRole('button', { name: 'Download' })
        .or(page.getByRole('link', { name: 'Download' }))
        .first(),
    ),
    {
      name: 'quick search, after the last key',
      async go(page) {
        if (!page.url().endsWith('/dashboard')) await page.goto('/dashboard');
        await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
        const box = page.getByRole('combobox', { name: 'Quick search' });
        if (!(await box.isVisible())) await page.keyboard.press('Control+k');
        await type(box, part, found(page));
      },
      shows: found,
    },
    {
      name: 'customer picker, after the last key',
      async go(page) {
        if (!page.url().endsWith('/upload')) await page.goto('/documents/upload');
        await type(page.getByRole('combobox', { name: 'Customer' }), part, found(page));
      },
      shows: found,
    },
    {
      name: 'first page of a PDF of 10 MB, after the click',
      async go(page) {
        await page.goto(`/customers/${facts.customerIds[0]}`);
        await page.getByRole('link', { name: largePdf }).first().click();
      },
      shows: (page) => page.locator('.page[data-page-number="1"][data-loaded="true"]'),
    },
  ];
}

async function uploadLargePdf(url: string, token: string, facts: Facts): Promise<void> {
  const { status } = await createClient(url, token).post('/api/documents', {
    customer_id: facts.customerIds[0],
    filename: largePdf,
    mime_type: 'application/pdf',
    file_data: pdfWithPictures(10).toString('base64'),
  });
  if (status !== 201) throw new Error(`The upload of ${largePdf} was answered with ${status}`);
}

/** From the navigation, unless the name says otherwise. */
async function timeOf({ name, go, shows }: Visit, page: Page): Promise<number> {
  const started = performance.now();
  await go(page);
  const acted = performance.now();
  await shows(page).waitFor();
  return performance.now() - (name.includes(', after the ') ? acted : started);
}

const attempts = 7;

/** Times every screen in a browser, signed in. */
export async function timeScreens(url: string, email: string, facts: Facts): Promise<ScreenTimes> {
  const found = await findOrInstallChromium();
  if ('problem' in found) throw new Error(found.problem);
  await using cleanup = new AsyncDisposableStack();
  const browser = cleanup.adopt(
    await chromium.launch({ executablePath: found.path, args: ['--no-sandbox', '--disable-gpu'] }),
    (running) => running.close(),
  );
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { token, user } = (await answer.json()) as { token: string; user: unknown };
  const localStorage = [
    { name: 'authToken', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ];
  const page = await browser.newPage({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
  await uploadLargePdf(url, token, facts);
  const times: ScreenTimes = new Map();
  for (const visit of visits(facts)) {
    const taken: number[] = [];
    for (let attempt = 0; attempt < attempts; attempt += 1) taken.push(await timeOf(visit, page));
    times.set(visit.name, taken.sort((one, other) => one - other)[Math.floor(attempts / 2)] ?? Number.NaN);
  }
  return times;
}
