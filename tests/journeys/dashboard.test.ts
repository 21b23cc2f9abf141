import type { DashboardResponse } from '@customer-database/contract/dashboard';
import type { Page } from '@playwright/test';
import { type Api, send } from './support/api.ts';
import { type Answer, answerCalls, failure, holdCalls, recordCalls } from './support/calls.ts';
import { activity, card, systemFact } from './support/dashboard.ts';
import { expect, test } from './support/test.ts';

test.use({ callsMayFail: true });

const figuresCall = ['GET', '/api/dashboard'] as const;

/** Opens the dashboard with the server's figures, changed like this. */
async function openWith(page: Page, api: Api, changes: Partial<DashboardResponse>): Promise<void> {
  const body = { ...(await api.get<DashboardResponse>(figuresCall[1])), ...changes };
  const { restore } = await answerCalls(page, ...figuresCall, { status: 200, body });
  await page.goto('/dashboard');
  await expect(page.getByText('Connected', { exact: true })).toHaveCount(2);
  await restore();
}

test('the dashboard welcomes the user, shows changes and leads on', async ({
  adminPage: page,
  admin,
  api,
}) => {
  await openWith(page, api, {
    customers: { total: 1120, change_percent: 12 },
    documents: { total: 95, change_percent: -5.04 },
    active_users: 7,
    documents_this_month: 31,
    last_backup_at: '2026-01-31T23:30:15.000Z',
    uptime_seconds: 2 * 86_400 + 3 * 3_600,
  });
  await expect(page.getByText(`Welcome to the document database, ${admin.user.name}.`)).toBeVisible();
  await expect(card(page, 'Total Customers')).toHaveText('Total Customers1,120+12% in 30 days');
  await expect(card(page, 'Total Documents')).toHaveText('Total Documents95−5% in 30 days');
  await expect(card(page, 'Active Users')).toContainText('7');
  await expect(card(page, 'This Month')).toContainText('31');
  await expect(systemFact(page, 'Last Backup')).toHaveText('1 Feb 2026, 00:30');
  await expect(systemFact(page, 'Uptime')).toHaveText('2 d 3 h');
  const links = page.getByRole('region', { name: 'Quick Actions' }).getByRole('link');
  const targets = {
    'Search Customers': '/customers',
    'Upload Documents': '/documents/upload',
    'View All Customers': '/customers/all',
    'Document Search': '/documents',
  };
  await expect(links).toHaveText(Object.keys(targets));
  for (const [name, address] of Object.entries(targets)) {
    await links.filter({ hasText: name }).click();
    await expect(page).toHaveURL(address);
    await page.goBack();
  }
});

test('administrators see failed checks and unusual reading', async ({ adminPage: page, staff, api }) => {
  const maintenance = {
    backup_failed_at: null,
    check_failed_at: null,
    last_check_at: '2026-01-31T23:30:15.000Z',
    last_check_problems: 0,
    texts_waiting: 0,
  };
  await openWith(page, api, { maintenance });
  await expect(systemFact(page, 'Last Check')).toHaveText('1 Feb 2026, 00:30No problems');
  await expect(systemFact(page, 'Awaiting text extraction')).toHaveCount(0);
  const failedAt = '2026-02-01T01:00:00.000Z';
  const bad = { ...maintenance, backup_failed_at: failedAt, last_check_problems: 2, texts_waiting: 1_234 };
  await openWith(page, api, { maintenance: bad });
  await expect(systemFact(page, 'Last Check')).toHaveText('1 Feb 2026, 00:302 problems');
  await expect(systemFact(page, 'Last Backup')).toHaveText('No backup yetThe last one failed');
  await expect(systemFact(page, 'Awaiting text extraction')).toHaveText('1,234 documents');

  const { id, name } = staff.user;
  const reading = { user_id: id, name, at: '2026-01-31T23:30:15.000Z', views: 240, downloads: 1 };
  await openWith(page, api, {
    maintenance: { ...maintenance, check_failed_at: '2026-02-07T03:00:00.000Z' },
    unusual_reading: [reading],
  });
  await expect(systemFact(page, 'Last Check')).toHaveText('1 Feb 2026, 00:30The last one failed');
  const mark = page.getByRole('alert');
  await expect(mark).toContainText(
    `${name} opened unusually many documents within an hour: 240 views and 1 download, 1 Feb 2026, 00:30.`,
  );
  await mark.getByRole('link', { name: 'See which documents' }).click();
  await expect(page).toHaveURL(`/admin/activity?person=${id}&action=document.viewed%2Cdocument.downloaded`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
});

test('where the server has no figures, fixed texts are shown', async ({ staffPage: page, api }) => {
  await api.makeDocument((await api.makeCustomer()).id);
  const searches = ['customers', 'documents'].map((noun) => recordCalls(page, 'POST', `/api/${noun}/search`));
  await answerCalls(page, ...figuresCall, { status: 404, body: { error: 'No such call' } });
  await page.goto('/dashboard');
  await expect(card(page, 'Total Customers')).toHaveText(/^Total Customers[1-9][\d,]*\+12%$/);
  await expect(card(page, 'Total Documents')).toHaveText(/^Total Documents[1-9][\d,]*\+8%$/);
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

test('the system status is checked, then says what it is', async ({ staffPage: page }) => {
  const status = systemFact(page, 'System Status');
  const { release } = await holdCalls(page, '/health');
  await page.goto('/dashboard');
  const terms = page.getByRole('region', { name: 'System Information' }).getByRole('term');
  await expect(terms).toHaveText(['System Status', 'Document Storage', 'Last Backup', 'Uptime']);
  await expect(systemFact(page, 'Document Storage')).toHaveText('Connected');
  await expect(status).toHaveText('Checking...');
  release();
  await expect(status.getByRole('status')).toHaveText('Connected');
  for (const [answer, text] of [
    [{ status: 200, body: { status: 'ERROR' } }, 'Disconnected'],
    ['no answer', 'Error'],
    [{ status: 503, body: { status: 'ERROR' } }, 'Disconnected'],
    [failure, 'Error'],
  ] satisfies [Answer, string][]) {
    const { restore } = await answerCalls(page, 'GET', '/health', answer);
    await page.reload();
    await expect(status).toHaveText(text);
    await restore();
  }
});

test('where figures fail to load, the rest is shown', async ({ staffPage: page, api }) => {
  await api.makeCustomer();
  await answerCalls(page, ...figuresCall, failure);
  await page.goto('/dashboard');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(systemFact(page, 'System Status')).toHaveText('Connected');
  const links = page.getByRole('region', { name: 'Quick Actions' }).getByRole('link');
  await expect(links).toHaveText(['Search Customers', 'View All Customers', 'Document Search']);
  // Searches count what they can; the rest is shown as unknown, and nothing seems to load.
  await expect(card(page, 'Total Customers')).toHaveText(/^Total Customers[1-9][\d,]*$/);
  await expect(card(page, 'Active Users')).toHaveText('Active Users–Not available right now');
  await expect(card(page, 'This Month')).toHaveText('This Month–Not available right now');
  await expect(systemFact(page, 'Uptime')).toHaveText('–');
  await expect(page.locator('.mantine-Skeleton-root')).toHaveCount(0);
});

test('recent activity leads to what still exists', async ({ staffPage: page, admin, api }) => {
  const kept = await api.makeCustomer();
  const document = await api.makeDocument(kept.id);
  const gone = await api.makeCustomer();
  await send(api.url, 'PUT', `/api/customers/${kept.id}`, admin.token, { city: 'Halifax' });
  await send(api.url, 'DELETE', `/api/customers/${gone.id}`, admin.token);
  await page.goto('/dashboard');
  await expect(activity(page).nth(0)).toContainText(`${admin.user.name} deleted the customer ${gone.name}`);
  await expect(activity(page).nth(0).getByRole('link')).toHaveCount(0);
  await expect(activity(page).nth(1)).toContainText(`${admin.user.name} updated the customer ${kept.name}`);
  await expect(activity(page).nth(1).getByRole('link', { name: kept.name })).toBeVisible();
  await activity(page).getByRole('link', { name: document.filename }).click();
  await expect(page).toHaveURL(`/documents/${document.id}`);
});
