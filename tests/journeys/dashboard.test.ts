import type { DashboardResponse } from '@customer-database/contract/dashboard';
import { send } from './support/api.ts';
import { type Answer, answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { activity, card, systemFact, systemTerms } from './support/dashboard.ts';
import { refocusWindow } from './support/focus-window.ts';
import { expect, failedCall, test } from './support/test.ts';

const figuresCall = ['GET', '/api/dashboard'] as const;

test('the dashboard welcomes the user and shows its four cards', async ({ staffPage: page, staff }) => {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard', exact: true })).toBeVisible();
  await expect(page.getByText(`Welcome to the document database, ${staff.user.name}.`)).toBeVisible();
  for (const name of ['Total Customers', 'Total Documents', 'Active Users', 'This Month'] as const) {
    await expect(card(page, name)).toHaveText(new RegExp(`^${name}[\\d,]+\\D`));
  }
});

test('the cards show how the totals have changed in 30 days', async ({ staffPage: page, api }) => {
  const { body } = await send(api.url, ...figuresCall, api.token);
  const figures: DashboardResponse = {
    ...body,
    customers: { total: 1120, change_percent: 12 },
    documents: { total: 95, change_percent: -5.04 },
    active_users: 7,
    documents_this_month: 31,
    last_backup_at: '2026-01-31T23:30:15.000Z',
    uptime_seconds: 2 * 86_400 + 3 * 3_600,
  };
  await answerCalls(page, ...figuresCall, { status: 200, body: figures });
  await page.goto('/dashboard');
  await expect(card(page, 'Total Customers')).toHaveText('Total Customers1,120+12% in 30 days');
  await expect(card(page, 'Total Documents')).toHaveText('Total Documents95−5% in 30 days');
  await expect(card(page, 'Active Users')).toContainText('7');
  await expect(card(page, 'This Month')).toContainText('31');
  await expect(systemFact(page, 'Last Backup')).toHaveText('1 Feb 2026, 00:30');
  await expect(systemFact(page, 'Uptime')).toHaveText('2 d 3 h');
});

test('administrators see when documents were last checked, and what failed', async ({
  adminPage: page,
  api,
}) => {
  const { body } = await send(api.url, ...figuresCall, api.token);
  const maintenance = {
    backup_failed_at: null,
    check_failed_at: null,
    last_check_at: '2026-01-31T23:30:15.000Z',
    last_check_problems: 0,
    texts_waiting: 0,
  } as const;
  const { restore } = await answerCalls(page, ...figuresCall, {
    status: 200,
    body: { ...body, maintenance },
  });
  await page.goto('/dashboard');
  await expect(systemFact(page, 'Last Check')).toHaveText('1 Feb 2026, 00:30No problems');
  await expect(systemFact(page, 'Awaiting text extraction')).toHaveCount(0);
  await restore();
  const bad = {
    ...maintenance,
    backup_failed_at: '2026-02-01T01:00:00.000Z',
    last_check_problems: 2,
    texts_waiting: 1_234,
  };
  const { restore: restoreBad } = await answerCalls(page, ...figuresCall, {
    status: 200,
    body: { ...body, maintenance: bad },
  });
  await page.reload();
  await expect(systemFact(page, 'Last Check')).toHaveText('1 Feb 2026, 00:302 problems');
  await expect(systemFact(page, 'Last Backup')).toHaveText('No backup yetThe last one failed');
  await expect(systemFact(page, 'Awaiting text extraction')).toHaveText('1,234 documents');
  await restoreBad();
  const broken = { ...maintenance, check_failed_at: '2026-02-07T03:00:00.000Z' };
  await answerCalls(page, ...figuresCall, { status: 200, body: { ...body, maintenance: broken } });
  await page.reload();
  await expect(systemFact(page, 'Last Check')).toHaveText('1 Feb 2026, 00:30The last one failed');
});

test('administrators see who read unusually much, and open what it was', async ({
  adminPage: page,
  staff,
  api,
}) => {
  const { body } = await send(api.url, ...figuresCall, api.token);
  const { id, name } = staff.user;
  const reading = { user_id: id, name, at: '2026-01-31T23:30:15.000Z', views: 240, downloads: 1 };
  await answerCalls(page, ...figuresCall, { status: 200, body: { ...body, unusual_reading: [reading] } });
  await page.goto('/dashboard');
  const mark = page.getByRole('alert');
  await expect(mark).toContainText(
    `${name} opened unusually many documents within an hour: 240 views and 1 download, 1 Feb 2026, 00:30.`,
  );
  await mark.getByRole('link', { name: 'See which documents' }).click();
  await expect(page).toHaveURL(`/admin/activity?person=${id}&action=document.viewed%2Cdocument.downloaded`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
});

test('where the API host has no figures, fixed texts stand in and empty searches count', async ({
  staffPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  const { id } = await api.makeCustomer();
  await api.makeDocument(id);
  const totalOf = async (noun: string) =>
    (await send(api.url, 'POST', `/api/${noun}/search`, api.token, {})).body.count;
  const [customers, documents] = [await totalOf('customers'), await totalOf('documents')];
  const searches = [
    recordCalls(page, 'POST', '/api/customers/search'),
    recordCalls(page, 'POST', '/api/documents/search'),
  ];
  await answerCalls(page, ...figuresCall, { status: 404, body: { error: 'No such call' } });
  await page.goto('/dashboard');
  await expect(card(page, 'Total Customers')).toHaveText(
    `Total Customers${customers.toLocaleString('en')}+12%`,
  );
  await expect(card(page, 'Total Documents')).toHaveText(
    `Total Documents${documents.toLocaleString('en')}+8%`,
  );
  await expect(card(page, 'Active Users')).toHaveText(/^Active Users3\D/);
  await expect(card(page, 'This Month')).toHaveText(/^This Month12\D/);
  await expect(systemFact(page, 'Last Backup')).toHaveText('Today at 2:00 AM');
  await expect(systemFact(page, 'Uptime')).toHaveText('99.9%');
  await expect(activity(page)).toHaveText([
    'New customer added2 hours ago',
    'Document uploaded4 hours ago',
    'Customer information updatedYesterday',
  ]);
  for (const calls of searches) expect(calls.map((call) => call.postDataJSON())).toEqual([{ limit: 0 }]);
});

test('the system status is being checked, then connected', async ({ staffPage: page }) => {
  const { release } = await holdCalls(page, '/health');
  await page.goto('/dashboard');
  await expect(systemTerms(page)).toHaveText(['System Status', 'Document Storage', 'Last Backup', 'Uptime']);
  await expect(systemFact(page, 'Document Storage')).toHaveText('Connected');
  await expect(systemFact(page, 'System Status')).toHaveText('Checking...');
  release();
  await expect(systemFact(page, 'System Status').getByRole('status')).toHaveText('Connected');
});

for (const [what, answer, text] of [
  ['that is not OK is disconnected', { status: 200, body: { status: 'ERROR' } }, 'Disconnected'],
  [
    'that is not OK is disconnected, also as a 503',
    { status: 503, body: { status: 'ERROR' } },
    'Disconnected',
  ],
  ['that cannot be asked for is an error', 'no answer', 'Error'],
  ['that is not told is an error', failure, 'Error'],
] satisfies [string, Answer, string][]) {
  test(`a status ${what}`, async ({ staffPage: page, expectConsole }) => {
    expectConsole(failedCall);
    await answerCalls(page, 'GET', '/health', answer);
    await page.goto('/dashboard');
    await expect(systemFact(page, 'System Status')).toHaveText(text);
    await expect(systemFact(page, 'Document Storage')).toHaveText('Connected');
  });
}

test('figures that fail to load are retried once, and the rest is shown', async ({
  staffPage: page,
  api,
  expectConsole,
}) => {
  expectConsole(failedCall);
  await api.makeCustomer();
  const calls = recordCalls(page, ...figuresCall);
  const { restore } = await answerCalls(page, ...figuresCall, failure);
  await page.goto('/dashboard');
  const alert = page.getByRole('alert');
  await expect(alert.getByText('Error loading the figures. Please try again.')).toBeVisible();
  expect(calls).toHaveLength(2);
  await expect(systemFact(page, 'System Status')).toHaveText('Connected');
  await expect(page.getByRole('link', { name: 'Search Customers' })).toBeVisible();
  // Searches count what they can; the rest is shown as unknown, and nothing seems to load.
  await expect(card(page, 'Total Customers')).toHaveText(/^Total Customers[1-9][\d,]*$/);
  await expect(card(page, 'Total Documents')).toHaveText(/^Total Documents[\d,]+$/);
  await expect(card(page, 'Active Users')).toHaveText('Active Users–Not available right now');
  await expect(card(page, 'This Month')).toHaveText('This Month–Not available right now');
  await expect(systemFact(page, 'Uptime')).toHaveText('–');
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
  await restore();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(card(page, 'Active Users')).toHaveText(/\d/);
  await expect(alert).toHaveCount(0);
});

const quickActions = [
  ['Search Customers', '/customers'],
  ['Upload Documents', '/documents/upload'],
  ['View All Customers', '/customers/all'],
  ['Document Search', '/documents'],
] as const;

test('quick actions lead to the searches, the list and the upload', async ({ adminPage: page }) => {
  const links = page.getByRole('region', { name: 'Quick Actions' }).getByRole('link');
  await page.goto('/dashboard');
  await expect(links).toHaveText(quickActions.map(([name]) => name));
  for (const [name, address] of quickActions) {
    await links.filter({ hasText: name }).click();
    await expect(page).toHaveURL(address);
    await page.goBack();
  }
});

test('staff are not offered the upload', async ({ staffPage: page }) => {
  await page.goto('/dashboard');
  const links = page.getByRole('region', { name: 'Quick Actions' }).getByRole('link');
  await expect(links).toHaveText(['Search Customers', 'View All Customers', 'Document Search']);
});

test('recent activity says who did what, and leads to what still exists', async ({
  staffPage: page,
  openAs,
  admin,
  api,
}) => {
  const kept = await api.makeCustomer();
  const document = await api.makeDocument(kept.id);
  const gone = await api.makeCustomer();
  await send(api.url, 'PUT', `/api/customers/${kept.id}`, admin.token, { city: 'Halifax' });
  await send(api.url, 'DELETE', `/api/customers/${gone.id}`, admin.token);
  await page.goto('/dashboard');
  await expect(activity(page).nth(0)).toContainText(`${admin.user.name} deleted the customer ${gone.name}`);
  await expect(activity(page).nth(0).getByRole('link')).toHaveCount(0);
  await expect(activity(page).nth(1)).toContainText(`${admin.user.name} updated the customer ${kept.name}`);
  await expect(activity(page).nth(2)).toContainText(`added the customer ${gone.name}`);
  await activity(page).getByRole('link', { name: document.filename }).click();
  await expect(page).toHaveURL(`/documents/${document.id}`);
  const adminPage = await openAs(admin);
  await adminPage.goto('/dashboard');
  await activity(adminPage).nth(1).getByRole('link', { name: kept.name }).click();
  await expect(adminPage).toHaveURL(`/customers/${kept.id}`);
});

test('nothing is refetched when the window regains focus', async ({ staffPage: page }) => {
  const calls = ['/api/dashboard', '/health', '/s3/health'].map((path) => recordCalls(page, 'GET', path));
  await page.goto('/dashboard');
  await expect(page.getByText('Connected', { exact: true })).toHaveCount(2);
  await expect(card(page, 'Active Users')).toHaveText(/\d/);
  await refocusWindow(page);
  // A refetch would have been sent before anything requested later.
  await page.getByRole('link', { name: 'View All Customers' }).click();
  await expect(page.getByText(/^Showing|^No customers found$/)).toBeVisible();
  expect(calls.map(({ length }) => length)).toEqual([1, 1, 1]);
});
