import type { Page } from '@playwright/test';

type Card = 'Total Customers' | 'Total Documents' | 'Active Users' | 'This Month';
export const card = (page: Page, name: Card) => page.getByRole('region', { name, exact: true });

const systemRows = ['System Status', 'Document Storage', 'Last Backup', 'Uptime'] as const;
export const systemTerms = (page: Page) =>
  page.getByRole('region', { name: 'System Information' }).getByRole('term');
export const systemFact = (page: Page, name: (typeof systemRows)[number]) =>
  page
    .getByRole('region', { name: 'System Information' })
    .getByRole('definition')
    .nth(systemRows.indexOf(name));

export const activity = (page: Page) =>
  page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem');
