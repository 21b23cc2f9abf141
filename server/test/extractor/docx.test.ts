import { deflateRawSync } from 'node:zlib';
import { relationships, wordTypes } from '@customer-database/testkit/docx-parts';
import { openReader } from '@customer-database/testkit/extraction';
import { type ZipEntry, zip } from '@customer-database/testkit/zip-builder';
import { describe, expect, it } from 'vitest';

const { textOf, outcomeOf } = openReader();

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const document = (inner: string): ZipEntry => ({
  name: 'word/document.xml',
  content: `<w:document>${inner}</w:document>`,
});
const docx = (...parts: ZipEntry[]) =>
  zip([wordTypes, relationships(), document(paragraph('Body')), ...parts]);

const chunkType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk';
/** A document with this file as a chunk. */
const withChunk = (content: string | Buffer, target = 'chunk.dat') =>
  docx(
    { ...relationships(target, chunkType), name: 'word/_rels/document.xml.rels' },
    { name: 'word/chunk.dat', content },
  );

const page =
  '<html><head><title>T</title><style>x</style></head><body><p>One &eacute;<br>two</p><table><tr><td>3<td>4</table><script>s</script></body></html>';
const pageText = 'Body\n\nOne é\ntwo\n\n3\t4';

const archive = (encoding: string, body: string) =>
  `MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html";\r\n\tboundary="=_b"\r\n\r\n--=_b\r\nContent-Type: text/html; charset="utf-8"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n--=_b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0K\r\n--=_b--\r\n`;
const quoted = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => `=${byte.toString(16).padStart(2, '0').toUpperCase()}`)
    .join('')
    .replace(/(.{72})/g, '$1=\r\n');

describe('The text of a DOCX', { timeout: 120_000 }, () => {
  it('has the title, categories and series of charts, and no numbers', async () => {
    const chart: ZipEntry = {
      name: 'word/charts/chart1.xml',
      content: `<c:chartSpace><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>
<c:ser><c:tx><c:strRef><c:f>Sheet!$B$1</c:f><c:strCache><c:pt idx="0"><c:v>Desks</c:v></c:pt></c:strCache></c:strRef></c:tx>
<c:cat><c:strRef><c:strCache><c:pt><c:v>Spring</c:v></c:pt><c:pt><c:v>Autumn</c:v></c:pt></c:strCache></c:strRef></c:cat>
<c:val><c:numRef><c:numCache><c:pt><c:v>4711</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:chartSpace>`,
    };
    const newer: ZipEntry = {
      name: 'word/charts/chartEx1.xml',
      content:
        '<cx:data><cx:strDim type="cat"><cx:f>Sheet!A1</cx:f><cx:lvl><cx:pt idx="0">Winter</cx:pt></cx:lvl></cx:strDim><cx:numDim><cx:lvl><cx:pt>12</cx:pt></cx:lvl></cx:numDim></cx:data>',
    };
    expect(await textOf(docx(chart, newer))).toBe('Body\n\nSales\nDesks\nSpring\nAutumn\n\nWinter');
  });

  it('has the text of diagrams once', async () => {
    const shape = '<dgm:pt><dgm:t><a:bodyPr/><a:p><a:r><a:t>Step</a:t></a:r></a:p></dgm:t></dgm:pt>';
    const parts = ['data1', 'drawing1'].map((name) => ({
      name: `word/diagrams/${name}.xml`,
      content: `<d>${shape}</d>`,
    }));
    expect(await textOf(docx(...parts))).toBe('Body\n\nStep');
  });

  it.each<[string, Buffer, string]>([
    ['as HTML', withChunk(page), pageText],
    ['by an absolute path in other letters', withChunk(page, '/Word/Chunk.dat'), pageText],
    ['as HTML in UTF-16', withChunk(Buffer.from(`\ufeff${page}`, 'utf16le')), pageText],
    ['as a web archive', withChunk(archive('quoted-printable', quoted(page))), pageText],
    [
      'as a web archive in Base64',
      withChunk(archive('base64', Buffer.from(page).toString('base64'))),
      pageText,
    ],
    ['as RTF', withChunk("{\\rtf1\\ansi One\\par tw\\'f6}"), 'Body\n\nOne\ntwö'],
    ['as text', withChunk('Größe < 3'), 'Body\n\nGröße < 3'],
    ['as DOCX', withChunk(zip([document(paragraph('Inner'))])), 'Body\n\nInner'],
    ['that is damaged', withChunk('PK\x03\x04'), 'Body'],
    ['that is missing', withChunk(page, '../../chunk.dat'), 'Body'],
  ])('has a chunk %s', async (_, bytes, text) => {
    expect(await textOf(bytes)).toBe(text);
  });

  it('has no chunk of a chunk', async () => {
    expect(await textOf(withChunk(withChunk('Innermost')))).toBe('Body\n\nBody');
  });

  it('is not lost by a damaged chart', async () => {
    expect(await textOf(docx({ name: 'word/charts/chart1.xml', content: '<c:chart><a:t>x' }))).toBe('Body');
  });

  it.each<[string, string | Buffer]>([
    [
      'a bomb',
      zip([
        {
          ...document(''),
          packed: deflateRawSync(Buffer.alloc(300 * 1024 * 1024, ' ')),
          claimedSize: 300 * 1024 * 1024,
        },
      ]),
    ],
    ['a million elements inside of each other', '<div>'.repeat(1_000_000)],
    ['a million scripts', `<p>${'<script>'.repeat(1_000_000)}`],
    ['brackets without end', `<p>${'<'.repeat(4_000_000)}`],
    ['entities without end', `<p>${'&amp'.repeat(1_000_000)}`],
    ['millions of parts of a mail', `MIME-Version: 1\r\nboundary=a\r\n${'--a'.repeat(2_000_000)}`],
  ])('is read in spite of a chunk with %s', async (_, content) => {
    expect(await outcomeOf(withChunk(content))).toBe('text');
  });
});
