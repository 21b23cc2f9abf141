import type { Page } from '@playwright/test';

type Card = 'Total Customers' | 'Total Documents' | 'Active Users' | 'This Month';
export const card = (page: Page, name: Card) => page.getByRole('region', { name, exact: true });

const systemPanel = (page: Page) => page.getByRole('region', { name: 'System Information' });

type SystemRow =
  | 'System Status'
  | 'Document Storage'
  | 'Last Backup'
  | 'Last Check'
  | 'Awaiting text extraction'
  | 'Uptime';
export const systemFact = (page: Page, name: SystemRow) =>
  systemPanel(page)
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: name }) })
    .getByRole('definition');

export const activity = (page: Page) =>
  page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem');
