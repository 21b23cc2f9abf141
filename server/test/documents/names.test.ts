import { download, formOf, storageKeyOf, stored, uploadForm } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
});

async function uploadNamed(filename: string) {
  const { id } = await makeCustomer(admin.client);
  return admin.client.post('/api/documents', uploadBody(id, { filename }));
}

describe('A filename', () => {
  it.each([
    ['../../etc/passwd.pdf', 'passwd.pdf'],
    ['/etc/shadow.pdf', 'shadow.pdf'],
    ['C:\\Users\\me\\Contract.pdf', 'Contract.pdf'],
    ['..\\..\\a.pdf', 'a.pdf'],
    ['%2e%2e%2fa.pdf', '%2e%2e%2fa.pdf'],
    ['...hidden.pdf', 'hidden.pdf'],
    ['trailing.pdf. . .', 'trailing.pdf'],
    ['  spaced.pdf  ', 'spaced.pdf'],
    ['exe.\u202efdp.pdf', 'exe.fdp.pdf'],
    ['\u200fmark\u2067ed\u2069.pdf', 'marked.pdf'],
    ['cafe\u0301.pdf', 'café.pdf'],
  ])('%j is saved as %j', async (filename, saved) => {
    const answer = await uploadNamed(filename);
    expect(answer.status).toBe(201);
    expect(answer.body.document.filename).toBe(saved);
    const proposal = await admin.client.post('/api/documents/check-duplicate', {
      customer_id: (await makeCustomer(admin.client)).id,
      filename,
    });
    expect(proposal.body.uniqueFilename).toBe(saved);
  });

  it.each([
    ['nothing', '', 'Filename is required'],
    ['blanks', '   ', 'Filename is required'],
    ['dots only', '...', 'Filename must be the name of a file, such as document.pdf'],
    ['an extension only', '.pdf', 'Filename must be the name of a file, such as document.pdf'],
    ['a path that ends in a slash', 'folder/', 'Filename must be the name of a file, such as document.pdf'],
    [
      'invisible characters only',
      '\u200b\u200b.pdf',
      'Filename must be the name of a file, such as document.pdf',
    ],
    ['a line break', 'a\nb.pdf', 'Filename must be a single line of text'],
    ['a carriage return', 'a\rb.pdf', 'Filename must be a single line of text'],
    ['an escape', 'a\u001b[31m.pdf', 'Filename must be a single line of text'],
    ['a line separator', 'a\u2028b.pdf', 'Filename must be a single line of text'],
    ['a NUL', 'a\0.pdf', 'Filename contains characters that cannot be stored'],
    ['half a character', 'a\ud83d.pdf', 'Filename contains characters that cannot be stored'],
    ['256 bytes', `${'é'.repeat(126)}.pdf`, 'Filename is too long: at most 255 bytes'],
    ['256 characters', `${'e'.repeat(252)}.pdf`, 'Filename must be at most 255 characters'],
  ])('that is %s is refused', async (_, filename, text) => {
    const before = await stored(app);
    const answer = await uploadNamed(filename);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: text, code: 'VALIDATION_FAILED', fields: { filename: text } });
    expect(await stored(app)).toEqual(before);
  });

  it('of 255 bytes is kept whole, and stays within 255 bytes when numbered', async () => {
    const { id } = await makeCustomer(admin.client);
    const filename = `${'合'.repeat(83)}ab.pdf`;
    expect(Buffer.byteLength(filename)).toBe(255);
    const upload = async () => (await admin.client.post('/api/documents', uploadBody(id, { filename }))).body;
    expect((await upload()).document.filename).toBe(filename);
    const second = (await upload()).document.filename;
    expect(second).toBe(`${'合'.repeat(82)} (1).pdf`);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
  });

  it('with path parts in a form is saved without them', async () => {
    const { id } = await makeCustomer(admin.client);
    const file = { name: '../../up/evil.pdf', type: 'application/pdf', bytes: aPdf() };
    expect((await uploadForm(admin.client, formOf({ customer_id: id }, file))).body.document.filename).toBe(
      'evil.pdf',
    );
    const named = formOf({ customer_id: id, filename: '..\\..\\worse.pdf' }, file);
    expect((await uploadForm(admin.client, named)).body.document.filename).toBe('worse.pdf');
  });

  it('is not part of the storage key', async () => {
    const { body } = await uploadNamed('secret-plan.pdf');
    const key = await storageKeyOf(app, body.document.id);
    expect(key).toMatch(/^documents\/\d{4}\/\d\d\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(JSON.stringify(body)).not.toContain(key);
    expect((await download(admin.client, body.document.id)).equals(aPdf())).toBe(true);
  });
});
