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

/** Drops files onto the drop zone. */
export async function dropFiles(page: Page, files: PickedFile[]): Promise<void> {
  const contents = files.map(({ buffer, ...file }) => ({ ...file, content: [...buffer] }));
  const dataTransfer = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, content } of dropped) {
      transfer.items.add(new File([new Uint8Array(content)], name, { type: mimeType }));
    }
    return transfer;
  }, contents);
  await page.getByText('PDF, DOCX, DOC or TXT, up to 10MB').dispatchEvent('drop', { dataTransfer });
}
