import { afterFile } from '@customer-database/testkit/cleanup';
import { fetchBytes, issueLink } from '@customer-database/testkit/documents';
import { makeCustomer, makeDocument, makeUser, type TestUser } from '@customer-database/testkit/factories';
import { canIsolate } from '@customer-database/testkit/libreoffice';
import { readMetrics } from '@customer-database/testkit/metrics';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLibreOffice } from '../../src/converter/libreoffice.ts';
import { conversionLimits } from '../../src/converter/open.ts';
import { ConverterUnavailable } from '../../src/converter/port.ts';
import { makeWaitingPreviews } from '../../src/modules/documents/previews/make.ts';
import { programOf } from '../converter/fake-program.ts';

let app: TestApp;
let admin: TestUser;
let customerId: number;

/** In the jail, but with a script in the place of LibreOffice. Its documents are what they say. */
const script = `case $(cat /tmp/document.doc) in
  *slow*) sleep 1000 ;;
  *damaged*) exit 1 ;;
  *) echo %PDF- %%EOF >/tmp/document.pdf ;;
esac`;

async function makeAll(program = script, limits = {}): Promise<void> {
  const converter = createLibreOffice(
    { program: await programOf(program), hidden: [] },
    { ...conversionLimits, ...limits },
  );
  afterFile(() => converter.close());
  await makeWaitingPreviews({ ...app.deps, converter });
}

const upload = async (user: TestUser, text: string): Promise<number> =>
  (
    await makeDocument(
      user.client,
      customerId,
      { filename: 'a.doc', mime_type: null },
      Buffer.from(`{\\rtf1 ${text}}`),
    )
  ).id;

const previewOf = async (id: number): Promise<string> =>
  (await admin.client.get(`/api/documents/${id}`)).body.document.preview;

/** The documents whose previews were made, in order. */
async function madeInOrder(): Promise<number[]> {
  const { rows } = await app.pool.query(
    `select document_id from document_files where kind = 'preview' and storage_key is not null
     order by xmin::text::bigint`,
  );
  return rows.map(({ document_id }) => Number(document_id));
}

beforeEach(async () => {
  app = await startTestApp();
  // Previews are wanted, but only the test makes them.
  app.deps.config.docxPreview = 'libreoffice';
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

describe.skipIf(!canIsolate())('Previews', { timeout: 120_000 }, () => {
  it('are made of what was opened last, the users taking turns', async () => {
    const other = await makeUser(app, 'admin');
    const opened = await upload(admin, 'opened later');
    app.clock.advance(1_000);
    const own = [await upload(admin, 'first'), await upload(admin, 'second')];
    app.clock.advance(1_000);
    const [ofOther = 0] = [await upload(other, 'of another user')];
    app.clock.advance(1_000);
    await fetchBytes(await issueLink(admin.client, opened, 'view'));
    await makeAll();
    const order = await madeInOrder();
    expect(order).toHaveLength(4);
    expect(order.indexOf(opened)).toBeLessThan(Math.min(...own.map((id) => order.indexOf(id))));
    expect(order.indexOf(ofOther)).toBeLessThan(2);
  });

  it('are made of documents from before the setting when they are opened', async () => {
    app.deps.config.docxPreview = 'built-in';
    const [bytes, text] = [await upload(admin, 'opened'), await upload(admin, 'read')];
    const link = await issueLink(admin.client, bytes, 'view');
    expect(await previewOf(bytes)).toBe('none');
    await fetchBytes(link);
    app.deps.config.docxPreview = 'libreoffice';
    await makeAll();
    expect(await previewOf(bytes)).toBe('waiting');
    await fetchBytes(link);
    await app.pool.query(
      `insert into document_pages (document_id, page, content, words) values ($1, 1, 'x', '')`,
      [text],
    );
    await admin.client.get(`/api/documents/${text}/text`);
    await makeAll();
    expect([await previewOf(bytes), await previewOf(text)]).toEqual(['ready', 'ready']);
    // Turned off again.
    app.deps.config.docxPreview = 'built-in';
    expect(await previewOf(bytes)).toBe('none');
    expect((await fetch(`${link}&as=preview`)).status).toBe(404);
  });

  it('of a document that fails are given up, logged, and delay no other', async () => {
    const [fine, damaged] = [await upload(admin, 'fine'), await upload(admin, 'damaged')];
    await makeAll();
    expect([await previewOf(fine), await previewOf(damaged)]).toEqual(['ready', 'none']);
    expect(app.logs()).toMatch(
      new RegExp(`"document_id":${damaged},.*preview of a document could not be made`),
    );
  });

  it('that take too long are tried three times, after the others', async () => {
    const fine = await upload(admin, 'fine');
    app.clock.advance(1_000);
    const slow = await upload(admin, 'slow');
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(await previewOf(slow)).toBe('waiting');
      await makeAll(script, { timeoutMs: 3_000 });
      expect(await previewOf(fine)).toBe('ready');
      app.clock.advance(61_000);
    }
    expect(await previewOf(slow)).toBe('none');
  });

  it('are not given up while LibreOffice itself does not work', async () => {
    const id = await upload(admin, 'fine');
    expect((await readMetrics(app)).get('documents_waiting', { for: 'previews' })).toBe(1);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await expect(makeAll('exit 1')).rejects.toThrow(ConverterUnavailable);
      app.clock.advance(61_000);
    }
    await makeAll();
    expect(await previewOf(id)).toBe('ready');
  });
});
