import { extname } from 'node:path';
import { type DocumentExtension, documentTypes } from '@customer-database/contract/documents';
import { samples } from '@customer-database/testkit/samples';
import type { Page } from '@playwright/test';
import type { DemoFileKind } from '../../../server/src/demo/papers.ts';

/** As Playwright's `setInputFiles` takes files. */
export type PickedFile = { name: string; mimeType: string; buffer: Buffer };

/** A real file of the type in its name. */
export function makeFile(name: string): PickedFile {
  const extension = extname(name) as DocumentExtension;
  const kind = extension.slice(1) as DemoFileKind;
  return { name, mimeType: documentTypes[extension], buffer: samples[kind] };
}

export const chooseFile = (page: Page, file: PickedFile | string) =>
  page.getByLabel('File', { exact: true }).setInputFiles(file);

/** Drops a file onto the drop zone. */
export async function dropFile(page: Page, { name, mimeType, buffer }: PickedFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([filename, type, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(content)], filename, { type }));
      return transfer;
    },
    [name, mimeType, [...buffer]] as const,
  );
  await page.getByText('PDF, DOCX, DOC or TXT, up to 10MB').dispatchEvent('drop', { dataTransfer });
}
