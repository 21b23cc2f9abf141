import { documentTypes } from '@customer-database/contract/documents';
import { download, issueLink, texts } from '@customer-database/testkit/documents';
import {
  aPdf,
  makeCustomer,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import {
  flatPackage,
  inUtf16,
  protectedDoc,
  protectedDocx,
  rtf,
  wordXml,
} from '@customer-database/testkit/real-files';
import { samples } from '@customer-database/testkit/samples';
import { startTestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  admin = await makeUser(await startTestApp(), 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

type Extension = keyof typeof documentTypes;

const upload = (extension: Extension, bytes: Buffer, mime_type: string = documentTypes[extension]) =>
  admin.client.post(
    '/api/documents',
    uploadBody(customerId, { filename: `file${extension}`, mime_type }, bytes),
  );

const precededBy = (lines: string, bytes: Buffer) => Buffer.concat([Buffer.from(lines), bytes]);
const pjl = '\x1b%-12345X@PJL SET JOBNAME="a"\r\n@PJL ENTER LANGUAGE=PDF\r\n';
const utf16Text = inUtf16('Grüße, 你好');

describe('A real-world file', () => {
  it.each<[string, Extension, Buffer, string]>([
    ['a PDF after a byte order mark', '.pdf', precededBy('\ufeff', aPdf()), documentTypes['.pdf']],
    ['a PDF after a line break', '.pdf', precededBy('\r\n', aPdf()), documentTypes['.pdf']],
    ['a PDF after the lines of a printer', '.pdf', precededBy(pjl, aPdf()), documentTypes['.pdf']],
    ['text in UTF-16', '.txt', utf16Text, 'text/plain; charset=utf-16le'],
    ['text in big-endian UTF-16', '.txt', Buffer.from(utf16Text).swap16(), 'text/plain; charset=utf-16be'],
    ['text in UTF-8', '.txt', Buffer.from('Grüße, 你好'), 'text/plain; charset=utf-8'],
    [
      'text in an old code page',
      '.txt',
      Buffer.from('Gr\xfc\xdfe', 'latin1'),
      'text/plain; charset=windows-1252',
    ],
    ['RTF named .doc', '.doc', rtf, documentTypes['.doc']],
    ['XML of Word 2003 named .doc', '.doc', wordXml, documentTypes['.doc']],
    ['XML of Word 2003 in UTF-16', '.doc', inUtf16(wordXml.toString()), documentTypes['.doc']],
    [
      'XML of Word 2003 with entities in its namespace',
      '.doc',
      Buffer.from(wordXml.toString().replace('word/2003', '&#x77;ord&#47;2003')),
      documentTypes['.doc'],
    ],
    ['a package of Word in one XML file named .doc', '.doc', flatPackage, documentTypes['.doc']],
  ])(
    'is accepted, served as its named type and comes back byte for byte: %s',
    async (_, extension, bytes, type) => {
      const { status, body } = await upload(extension, bytes);
      expect(status, JSON.stringify(body)).toBe(201);
      expect(body.document).toMatchObject({ mime_type: documentTypes[extension], protected: false });
      expect((await download(admin.client, body.document.id)).equals(bytes)).toBe(true);
      // Also to view: no browser may treat it as XML or HTML.
      const viewed = await fetch(await issueLink(admin.client, body.document.id, 'view'));
      expect(viewed.headers.get('content-type')).toBe(type);
      expect(viewed.headers.get('x-content-type-options')).toBe('nosniff');
      expect(viewed.headers.get('content-security-policy')).toMatch(/^sandbox;/);
      await viewed.arrayBuffer();
    },
  );

  it.each<[Extension, () => Buffer]>([
    ['.docx', protectedDocx],
    ['.doc', protectedDoc],
  ])('is accepted as a %s with a password, and every response says so', async (extension, make) => {
    const bytes = make();
    const { status, body } = await upload(extension, bytes);
    expect(status, JSON.stringify(body)).toBe(201);
    const { document } = body;
    expect(document).toMatchObject({ mime_type: documentTypes[extension], protected: true });
    expect((await admin.client.get(`/api/documents/${document.id}`)).body.document).toEqual({
      ...document,
      text: { state: 'protected', reason: null, page_count: null, language: null },
      preview: 'none',
    });
    expect((await admin.client.get('/api/documents')).body.documents[0]).toEqual(document);
    expect((await download(admin.client, document.id)).equals(bytes)).toBe(true);
  });
});

describe('A file that is refused', () => {
  const noWord = 'is not a complete Word document';
  const page = Buffer.from('<!doctype html><p>Text</p>');
  const otherPackage = Buffer.from(flatPackage.toString().replace('Word.Document', 'PowerPoint.Show'));
  const otherXml = Buffer.from(wordXml.toString().replace('word/2003/wordml', 'other'));
  const { docx, doc } = samples;
  const brokenEncryption = protectedDocx();
  brokenEncryption.writeUInt16LE(9, brokenEncryption.indexOf(Buffer.from([4, 0, 4, 0])));

  it.each<[Extension, Buffer, string]>([
    ['.pdf', page, 'is not a PDF'],
    ['.pdf', docx, 'is a newer Word document (.docx)'],
    ['.docx', doc, 'is an older Word document (.doc)'],
    ['.docx', protectedDoc(), 'is an older Word document (.doc)'],
    ['.docx', rtf, 'is an RTF document'],
    ['.docx', wordXml, 'is a Word document in XML'],
    ['.docx', aPdf(), 'is a PDF'],
    ['.docx', docx.subarray(0, 900), noWord],
    ['.docx', brokenEncryption, noWord],
    ['.doc', docx, 'is a newer Word document (.docx)'],
    ['.doc', protectedDocx(), 'is a newer Office document with a password'],
    ['.doc', page, noWord],
    ['.doc', otherPackage, noWord],
    ['.doc', otherXml, noWord],
    ['.doc', Buffer.from(wordXml.toString().replace('<w:', '<!DOCTYPE a><w:')), noWord],
    ['.doc', Buffer.from('{\\pwi}'), noWord],
    ['.txt', doc, 'contains binary data'],
    ['.txt', inUtf16('a\0b'), 'contains binary data'],
  ])('gets an error that says what it really is: %s', async (extension, bytes, fault) => {
    const { status, body } = await upload(extension, bytes);
    const text = `${texts.wrongType} This file is named ${extension} but ${fault}.`;
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'INVALID_FILE_TYPE', error: text, fields: { file_data: text } });
  });

  it('gets an error that names any other mismatch', async () => {
    const asText = await upload('.pdf', aPdf(), 'text/plain');
    expect(asText.body.error).toBe(
      `${texts.wrongType} This file is named .pdf but was sent as another type.`,
    );
    const named = uploadBody(customerId, { filename: 'setup.exe' }, aPdf());
    const { body } = await admin.client.post('/api/documents', named);
    expect(body.error).toBe(`${texts.wrongType} The name of this file ends in none of these.`);
  });
});
