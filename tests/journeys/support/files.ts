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
