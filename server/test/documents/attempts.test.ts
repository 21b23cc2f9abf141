import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { storageKeyOf } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { pdfOf, textPage } from '@customer-database/testkit/pdf-builder';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeEach, describe, expect, it } from 'vitest';
import { extractWaitingTexts } from '../../src/modules/documents/text/backlog.ts';
import { StorageUnavailableError } from '../../src/storage/port.ts';

let app: TestApp;
let admin: TestUser;
let older: number;
let newer: number;

beforeEach(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  const { id: customerId } = await makeCustomer(admin.client);
  const upload = async (text: string) =>
    (await makeDocument(admin.client, customerId, {}, pdfOf([textPage(text)]))).id;
  older = await upload('The older document');
  newer = await upload('The newer document');
});

const objects = () => join(app.deps.config.dataDir, 'objects');
const textOf = async (id: number) => (await admin.client.get(`/api/documents/${id}`)).body.document.text;

/** A link to itself can be opened no more than a file on a bad sector, while the rest of the folder is healthy. */
async function makeUnreadable(id: number): Promise<void> {
  const path = join(objects(), await storageKeyOf(app, id));
  await rm(path);
  await symlink(path, path);
}

describe('A document whose reading fails', { timeout: 60_000 }, () => {
  it('delays no other document, is logged, and is given up after three attempts', async () => {
    await makeUnreadable(newer);
    await extractWaitingTexts(app.deps);
    expect(await textOf(older)).toMatchObject({ state: 'ready' });
    expect(app.logs()).toMatch(new RegExp(`"document_id":${newer},.*an attempt to read a document failed`));
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect((await textOf(newer)).state).toBe('waiting');
      app.clock.advance(61_000);
      await extractWaitingTexts(app.deps);
    }
    expect(await textOf(newer)).toMatchObject({ state: 'failed', reason: 'reading it failed three times' });
  });

  it('is not blamed while the storage is unavailable', async () => {
    await rename(objects(), `${objects()}-away`);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(extractWaitingTexts(app.deps)).rejects.toThrow(StorageUnavailableError);
      app.clock.advance(61_000);
    }
    await rename(`${objects()}-away`, objects());
    await extractWaitingTexts(app.deps);
    expect(await textOf(newer)).toMatchObject({ state: 'ready' });
  });
});
