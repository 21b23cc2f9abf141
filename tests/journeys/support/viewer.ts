import type { Document } from '@customer-database/contract/documents';
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';
import type { Api } from './api.ts';

/** The document itself, with its tools. */
export const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Document', exact: true });

export const tool = (page: Page, name: string): Locator =>
  viewer(page).getByRole('button', { name, exact: true });

/** A page of a PDF. */
export const pdfPage = (page: Page, number: number): Locator =>
  viewer(page).locator(`.page[data-page-number="${number}"]`);

/** The number of the page in view. */
export const pageField = (page: Page): Locator => viewer(page).getByRole('textbox', { name: 'Page' });

export const marks = (page: Page): Locator => viewer(page).locator('mark, .textLayer .highlight');

/** The pages of documents that are shown as text. */
export const shownText = (page: Page): Locator => viewer(page).getByRole('region', { name: 'Text' });

/** Where a DOCX is drawn. */
export const wordFrame = (page: Page): FrameLocator => viewer(page).locator('iframe').contentFrame();

/** Of a new customer. */
export const makeDocument = async (api: Api, filename: string, content: Buffer): Promise<Document> =>
  api.makeDocument((await api.makeCustomer()).id, { filename, content });

/** The signed link to view a document, as a user gets it. */
export const viewLink = async (api: Api, { id }: Document): Promise<string> =>
  (await api.get<{ view_url: string }>(`/api/documents/${id}/view`)).view_url;

export async function openDocument(page: Page, { id, filename }: Document, query = ''): Promise<void> {
  await page.goto(`/documents/${id}${query}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(filename);
}
