import type { Document } from '@customer-database/contract/documents';
import { expect, type Page } from '@playwright/test';
import type { Api } from './api.ts';
import type { PickedFile } from './files.ts';

export const queue = (page: Page) => page.getByRole('region', { name: 'Uploads', exact: true });
export const queueRow = (page: Page, name: string) =>
  queue(page).getByRole('listitem').filter({ hasText: name });

export const expectQueue = (page: Page, summary: string) =>
  expect(queue(page).getByRole('button', { name: summary, exact: true })).toBeVisible();

/** Text files with different contents. */
export const makeTexts = (mark: string, count: number): PickedFile[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${mark} ${index + 1}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`Content ${index + 1} of ${mark}.\n`),
  }));

/** Drags files over the page, or drops them there. */
export async function dragFiles(page: Page, type: 'dragover' | 'drop', files: PickedFile[]): Promise<void> {
  const contents = files.map(({ buffer, ...file }) => ({ ...file, content: buffer.toString('base64') }));
  const dataTransfer = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, content } of dropped) {
      const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return transfer;
  }, contents);
  await page.getByRole('heading', { level: 1 }).dispatchEvent(type, { dataTransfer });
}

export async function documentsOf(api: Api, customerId: number): Promise<Document[]> {
  return (await api.get<{ documents: Document[] }>(`/api/documents/customer/${customerId}`)).documents;
}

/** Each document's content by its name. */
export async function contentsOf(api: Api, customerId: number): Promise<Record<string, string>> {
  const contents = (await documentsOf(api, customerId)).map(async ({ id, filename }) => {
    const { download_url } = await api.get<{ download_url: string }>(`/api/documents/${id}/download`);
    return [filename, await (await fetch(download_url)).text()];
  });
  return Object.fromEntries(await Promise.all(contents));
}

export const contentsOfFiles = (files: PickedFile[]) =>
  Object.fromEntries(files.map(({ name, buffer }) => [name, buffer.toString()]));
