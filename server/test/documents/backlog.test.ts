import { fileURLToPath } from 'node:url';
import { createExtractor } from '@customer-database/extractor/extractor';
import { startSandbox } from '@customer-database/extractor/process';
import { extractionLimits } from '@customer-database/extractor/protocol';
import { runAdmin, settingsOf } from '@customer-database/testkit/admin';
import {
  contentsOf,
  emptyInstallation,
  makeBackupOf,
  restore,
  temporaryFolder,
} from '@customer-database/testkit/backups';
import { afterTest } from '@customer-database/testkit/cleanup';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { readMetrics } from '@customer-database/testkit/metrics';
import { nestedFormsPage, pdfOf, scannedPage, textPage } from '@customer-database/testkit/pdf-builder';
import { samples } from '@customer-database/testkit/samples';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { extractWaitingTexts, recogniseWaitingPictures } from '../../src/modules/documents/text/backlog.ts';
import { pictureLimits, textLimits } from '../../src/start/open-extractors.ts';

const misbehavingReader = fileURLToPath(new URL('../extractor/misbehaving-reader.ts', import.meta.url));

let app: TestApp;
let admin: TestUser;
let letter: number;
let scan: number;
let restored: TestApp;

// Without jobs: documents wait as they do after an upgrade.
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  const { id } = await makeCustomer(admin.client);
  letter = (await makeDocument(admin.client, id, {}, samples.pdf)).id;
  const picture = await scannedPage(pdfOf([textPage('Only in the scan')]));
  scan = (await makeDocument(admin.client, id, {}, pdfOf([picture]))).id;
});

const waiting = async () => (await admin.client.get('/api/dashboard')).body.maintenance.texts_waiting;
const factsOf = async (id: number) => (await admin.client.get(`/api/documents/${id}`)).body.document.text;
const extract = (args: string[] = [], env: Record<string, string> = {}) =>
  runAdmin(app, ['extract', ...args], env);

describe('Documents that await text extraction', { timeout: 120_000 }, () => {
  it('are counted on the dashboard and among the metrics', async () => {
    expect(await waiting()).toBe(2);
    const metrics = await readMetrics(app);
    expect(metrics.get('documents_waiting', { for: 'text' })).toBe(2);
    expect(metrics.get('documents_waiting', { for: 'pictures' })).toBe(0);
    expect(await factsOf(letter)).toEqual({
      state: 'waiting',
      reason: null,
      page_count: null,
      language: null,
    });
  });

  it('are read by the command, without their pictures if OCR is off', async () => {
    const { code, output } = await extract([], { OCR: 'false' });
    expect(output).toContain('Read 2 documents');
    expect(code).toBe(0);
    expect(await factsOf(letter)).toMatchObject({ state: 'ready', language: 'eng' });
    expect(await factsOf(scan)).toMatchObject({ state: 'none', page_count: 1 });
  });

  it('have their pictures read if OCR is on', async () => {
    expect(await waiting()).toBe(1);
    expect((await extract()).code).toBe(0);
    expect(await waiting()).toBe(0);
    const { body } = await admin.client.get(`/api/documents/${scan}/text`);
    expect(body).toMatchObject({ state: 'ready', pages: [{ page: 1, text: 'Only in the scan' }] });
  });

  it('are all documents after --again, which is logged', async () => {
    await app.pool.query("update document_pages set content = 'read badly' where document_id = $1", [letter]);
    expect((await extract(['--again'])).output).toContain('Read 2 documents');
    const { body } = await admin.client.get(`/api/documents/${letter}/text`);
    expect(body.pages[0].text).toContain('Northlake Furnishings');
    const { rows } = await app.pool.query(
      "select actor_label, detail from activity where action = 'texts.read' order by id desc limit 1",
    );
    expect(rows).toEqual([
      { actor_label: expect.stringContaining('command line'), detail: { documents: 2, again: true } },
    ]);
  });

  const requestAllTexts = (claimedUntil: string) =>
    app.pool.query(`update document_texts set read_at = null, claimed_until = ${claimedUntil}`);
  async function countRead(): Promise<number> {
    let count = 0;
    await extractWaitingTexts(app.deps, () => {
      count += 1;
    });
    return count;
  }

  it('are read once by two concurrent jobs', async () => {
    await requestAllTexts('null');
    const [one = 0, other = 0] = await Promise.all([countRead(), countRead()]);
    expect(one + other).toBe(2);
  });

  it('are left to the job that has leased them, until the lease has expired', async () => {
    await requestAllTexts("now() + interval '1 minute'");
    expect(await countRead()).toBe(0);
    await requestAllTexts("now() - interval '1 second'");
    expect(await countRead()).toBe(2);
  });

  it('are none after a restore, because a backup contains the texts', async () => {
    const folder = await temporaryFolder();
    await makeBackupOf(app, folder);
    const target = await emptyInstallation();
    const { SECRET_KEY } = settingsOf(app);
    expect((await restore([folder], { ...target, SECRET_KEY })).code).toBe(0);
    restored = await startTestApp({ databaseUrl: target.DATABASE_URL, dataDir: target.DATA_DIR });
    expect(await contentsOf(restored)).toEqual(await contentsOf(app));
  });

  it('have a thumbnail, which is requested again after a restore', async () => {
    const thumbnails = 'select count(storage_key)::int as made, count(*)::int as wanted from document_files';
    expect((await app.pool.query(thumbnails)).rows).toEqual([{ made: 2, wanted: 2 }]);
    expect((await restored.pool.query(thumbnails)).rows).toEqual([{ made: 0, wanted: 2 }]);
  });
});

describe('A document that takes too long to read', { timeout: 120_000 }, () => {
  const patient = { cpuMs: 60_000, timeoutMs: 60_000, maxResidentBytes: 768 * 1024 * 1024 };

  async function queueWith(limits: typeof patient, program?: string) {
    const own = await startTestApp();
    const text = createExtractor(limits, () => startSandbox(program ? { program } : {}));
    const pictures = createExtractor(limits, () => startSandbox({ languages: ['eng'] }));
    afterTest(() => Promise.all([text.close(), pictures.close()]));
    const deps = { ...own.deps, extractors: { text, pictures } };
    const [one, other] = [await makeUser(own, 'admin'), await makeUser(own, 'admin')];
    const { id: customerId } = await makeCustomer(one.client);
    const upload = async (user: TestUser, bytes: Buffer) =>
      (await makeDocument(user.client, customerId, {}, bytes)).id;
    const textOf = async (id: number) => (await one.client.get(`/api/documents/${id}`)).body.document.text;
    const read = () => extractWaitingTexts(deps);
    const recognise = () => recogniseWaitingPictures(deps);
    return { own, one, other, upload, textOf, read, recognise };
  }

  it('is given up, and delays the document of another user by no more than one turn', async () => {
    const { own, one, other, upload, textOf, read } = await queueWith({ ...patient, cpuMs: 500 });
    const letter = await upload(other, pdfOf([textPage('Delivered on Monday')]));
    const slow = [];
    for (let count = 0; count < 2; count += 1) slow.push(await upload(one, pdfOf([nestedFormsPage()])));
    await read();
    expect(await textOf(letter)).toMatchObject({ state: 'ready' });
    for (const id of slow) {
      expect(await textOf(id)).toMatchObject({ state: 'failed', reason: 'it took too long to read' });
    }
    const { rows } = await own.pool.query('select document_id as id from document_texts order by read_at');
    expect(rows.findIndex(({ id }) => id === letter)).toBeLessThanOrEqual(1);
  });

  it('is tried three times if only the time ran out, perhaps on a busy machine', async () => {
    const { own, one, upload, textOf, read } = await queueWith({ ...patient, timeoutMs: 1 });
    const id = await upload(one, pdfOf([nestedFormsPage()]));
    for (const state of ['waiting', 'waiting', 'failed']) {
      await read();
      expect((await textOf(id)).state).toBe(state);
      own.clock.advance(61_000);
    }
  });

  it('delays the document of another user by no more than one turn if it hangs', async () => {
    const { one, other, upload, textOf, read } = await queueWith(
      { ...patient, timeoutMs: 2_000 },
      misbehavingReader,
    );
    const letter = await upload(other, pdfOf([textPage('Delivered on Monday')]));
    const hanging = [];
    for (let count = 0; count < 3; count += 1) hanging.push(await upload(one, pdfOf([textPage('HANG')])));
    let finished = 0;
    const all = read().then(() => {
      finished += 1;
    });
    await vi.waitFor(async () => expect(await textOf(letter)).toMatchObject({ state: 'ready' }), 30_000);
    expect(finished).toBe(0);
    await all;
    for (const id of hanging) expect(await textOf(id)).toMatchObject({ state: 'waiting' });
  });

  it('is tried again if OCR took too long, and then says why it has no text', async () => {
    const limits = { ...patient };
    const { own, one, upload, textOf, read, recognise } = await queueWith(limits);
    const id = await upload(one, pdfOf([await scannedPage(pdfOf([textPage('Not read in time')]))]));
    await read();
    limits.cpuMs = 1;
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await textOf(id)).toMatchObject({ state: 'waiting', reason: null });
      await recognise();
      own.clock.advance(61_000);
    }
    expect(await textOf(id)).toMatchObject({ state: 'failed', reason: 'page 1: it took too long to read' });
  });

  it('keeps the pages before one that crashes the process', async () => {
    const { one, upload, textOf, read } = await queueWith(patient, misbehavingReader);
    const id = await upload(one, pdfOf([textPage('CRASH'), textPage('Not read')]));
    await read();
    expect(await textOf(id)).toMatchObject({ state: 'ready', page_count: 2 });
  });
});

it('The limits of a turn add up to a minute', () => {
  expect(textLimits.cpuMs + extractionLimits.readingMs + textLimits.cpuMs).toBeLessThanOrEqual(60_000);
  expect(pictureLimits.cpuMs).toBeLessThanOrEqual(60_000);
});
