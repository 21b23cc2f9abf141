import {
  folderOfFiles,
  forgetCustomers,
  importPath,
  importText,
  newPath,
  refusals,
  storedCustomers,
} from '@customer-database/testkit/customer-files';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../src/core/csv-formulas.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => forgetCustomers(app));

const header = 'name,dob,email';
const ann = { name: 'Ann', dob: '1980-01-31', email: 'ann@example.com' };
const line = (name: string, email = 'ann@example.com') => `${name},1980-01-31,${email}\n`;
const names = async () => (await storedCustomers(app)).map(({ name }) => name);

/** More than one read. */
const manyLines = (count: number) =>
  Array.from({ length: count }, (_, index) => line(`Zoë ${index}`)).join('');

describe('The columns of a file', () => {
  it('may be in any order and spelling that people use', async () => {
    await importText(
      app,
      `Country,E-Mail,"Phone ",STREET,province,City,Date of Birth,Name
Chile,ann@example.com,030 1,Main Street 1,Maipo,Santiago,1980-01-31,Ann\n`,
    );
    expect(await storedCustomers(app)).toEqual([
      {
        ...ann,
        phone_number: '030 1',
        street_line: 'Main Street 1',
        city: 'Santiago',
        province: 'Maipo',
        country: 'Chile',
      },
    ]);
  });

  it('may be those of our own exports and reports, some of which are ignored', async () => {
    await importText(
      app,
      `line,reason,id,name,dob,email,created_at,updated_at\n7,why,99,Ann,1980-01-31,ann@example.com,then,later\n`,
    );
    expect(await storedCustomers(app)).toMatchObject([{ ...ann, city: null }]);
  });

  it.each([
    ['name,dob,email,fax', '"fax" is not known. Known are name, dob, email, phone_number, street_line,'],
    ['name,dob,email,constructor', '"constructor" is not known.'],
    ['Ann,1980-01-31,ann@example.com', '"Ann" is not known.'],
    ['name,dob,,email', 'column 3 has no name.'],
    ['name,dob,email,E-Mail', '"email" and "E-Mail" are both for email.'],
    ['name,dob,name,email', '"name" and "name" are both for name.'],
    ['name,city', 'there is none for dob and email.'],
    ['name|dob|email', '"name|dob|email" is not known.'],
  ])('are checked before anything else: %s', async (columns, text) => {
    const wrong = importText(app, `${columns}\nnonsense that is never read`);
    await expect(wrong).rejects.toThrow(`The first line must name the columns: ${text}`);
  });
});

describe('A file', () => {
  it.each([
    ['with line breaks of Windows', `${header}\r\n${line('Ann')}`.replaceAll(/\r?\n/g, '\r\n')],
    ['with line breaks of an old Mac', `${header}\n${line('Ann')}`.replaceAll('\n', '\r')],
    ['with mixed line breaks and without a last one', `\r\n${header}\r\n\nAnn,1980-01-31,ann@example.com`],
    ['with a byte order mark', `\ufeff${header}\n${line('Ann')}`],
    ['in UTF-16, as some spreadsheets save it', Buffer.from(`\ufeff${header}\n${line('Ann')}`, 'utf16le')],
    [
      'with a byte order mark and quotes',
      `\ufeff"name","dob","email"\n"Ann","1980-01-31","ann@example.com"\n`,
    ],
    ['with semicolons', 'name;dob;email\nAnn;1980-01-31;ann@example.com\n'],
    ['with semicolons and a quoted header', '"name";"dob";"email"\n"Ann";1980-01-31;ann@example.com\n'],
    ['with blanks around quotes', `name, "dob", email\n"Ann" , "1980-01-31",\t"ann@example.com"  \n`],
    ['with blank lines and blanks', `${header}\n\n Ann , 1980-01-31,ann@example.com \n,,\n  ,\t,\n\n`],
  ])('%s is read', async (_, content) => {
    expect(await importText(app, content)).toMatchObject({ good: 1, imported: 1, refused: { count: 0 } });
    expect(await storedCustomers(app)).toMatchObject([ann]);
  });

  it('may have delimiters and quotes inside quotes', async () => {
    const quoted = '"Ann ""Annie"" Lee; Jr, PhD",1980-01-31,ann@example.com';
    await importText(app, `${header}\n${quoted}\n`);
    await importText(app, `name;dob;email\n${quoted.replaceAll(',1980-01-31,', ';1980-01-31;')}\n`);
    expect(await names()).toEqual(Array(2).fill('Ann "Annie" Lee; Jr, PhD'));
  });

  it('may be larger than one read, with multi-byte characters anywhere', async () => {
    for (const padding of ['', 'a', 'ab', 'abc']) {
      await forgetCustomers(app);
      const lines = Array.from({ length: 3_000 }, (_, index) => line(`漢字 😀 Ü${index}`));
      await importText(app, `${header}\n${line(`A${padding}`)}${lines.join('')}`);
      expect(await names()).toEqual([`A${padding}`, ...lines.map((text) => text.split(',')[0])]);
    }
  });

  it.each([
    ['', 'The file is empty'],
    ['\ufeff', 'The file is empty'],
    ['\n\r\n\n', 'The file is empty'],
  ])('that is empty is refused: %j', async (content, text) => {
    await expect(importText(app, content)).rejects.toThrow(text);
  });

  it('with only a header has no customers', async () => {
    expect(await importText(app, header)).toMatchObject({ good: 0, imported: 0, refused: { count: 0 } });
  });

  it('that is missing or a folder is reported as such', async () => {
    const path = newPath();
    await expect(importPath(app, path)).rejects.toThrow(`There is no file ${path}`);
    await expect(importPath(app, folderOfFiles())).rejects.toThrow(`${folderOfFiles()} is a folder`);
    await expect(importPath(app, '/dev/null')).rejects.toThrow('/dev/null is not a file');
    await expect(importPath(app, `${path}\0`)).rejects.toThrow('cannot be read (ERR_INVALID_ARG_VALUE)');
  });

  it.each([
    ['in the header', Buffer.from('name,dob,email,stra\xdfe\n', 'latin1'), 1],
    ['in a line', Buffer.from(`${header}\n${line('Ann')}M\xfcller,1980-01-31,a@example.com\n`, 'latin1'), 3],
    ['in a line of Windows', Buffer.from(`${header}\r\nM\xfcller,1980-01-31,a@example.com`, 'latin1'), 2],
    ['in a line of an old Mac', Buffer.from(`${header}\rA,1980-01-31,a@example.com\rM\xfcller`, 'latin1'), 3],
    ['in its last byte', Buffer.concat([Buffer.from(`${header}\nAnn`), Buffer.from([0xc3])]), 2],
    ['as a whole', Buffer.from(`\ufeff${header}\n`, 'utf16le').swap16(), 1],
    [
      'far from its beginning',
      Buffer.concat([Buffer.from(`${header}\n${manyLines(9_000)}`), Buffer.from([0x41, 0xe9, 0x2c])]),
      9_002,
    ],
    [
      'after a replacement character that is',
      Buffer.concat([Buffer.from(`${header}\n${line('\ufffd')}`), Buffer.from([0x41, 0xe9, 0x2c])]),
      3,
    ],
  ])('that is not UTF-8 %s is refused', async (_, content, at) => {
    const text = `Line ${at} is not UTF-8 text. Save the file with the encoding UTF-8 and try again.`;
    await expect(importText(app, content, { skipBad: true })).rejects.toThrow(text);
    expect(await names()).toEqual([]);
  });

  it.each([
    [
      'inside a value',
      `${header}\n${line('Ann')}Bob "B",1980-01-31,b@example.com\n`,
      3,
      'there is a quote (") inside',
    ],
    ['before the end of a value', `${header}\n"B"ob",1980-01-31,b@example.com\n`, 2, 'there is text after'],
    [
      'after a value',
      `${header}\n"Bob" B,1980-01-31,b@example.com\n`,
      2,
      'there is text after the quote (")',
    ],
    [
      'without its end',
      `${header}\n${line('Ann')}"Bob,1980-01-31\n${line('Cy')}`,
      3,
      'a quote (") is opened',
    ],
    ['without its end in a large file', `${header}\n"Bob,\n${manyLines(5_000)}`, 2, 'there is no end within'],
    ['in the header', `na"me,dob,email\n${line('Ann')}`, 1, 'there is a quote (") inside'],
  ])('with a quote %s is refused', async (_, content, at, text) => {
    const wrong = importText(app, content, { skipBad: true });
    await expect(wrong).rejects.toThrow(`Line ${at} cannot be read: ${text}`);
    expect(await names()).toEqual([]);
  });

  it('has its lines numbered as in an editor', async () => {
    const broken = '"line\r\nbreak, and\nanother",1980-01-31,a@example.com';
    const content = `${header}\r\n${line('Ann')}\r\n${broken}\r\n${broken}\r\n\r\n,1980-01-31,a@example.com\r\n`;
    expect(refusals(await importText(app, content))).toEqual([
      'line 4: Name must be a single line of text',
      'line 7: Name must be a single line of text',
      'line 11: Name is required',
    ]);
  });
});

describe('A formula that a spreadsheet would run', () => {
  it('comes back as it was before an export defused it', async () => {
    await importText(
      app,
      `name,dob,email,phone_number,street_line,city,province,country
'=1+1,1980-01-31,'@a@example.com,'+49 30 1,"'-2",''=x,'t Hooft,' = y\n`.replace("'@a@example", "'+a@example"),
    );
    expect(await storedCustomers(app)).toEqual([
      {
        name: '=1+1',
        dob: '1980-01-31',
        email: '+a@example.com',
        phone_number: '+49 30 1',
        street_line: '-2',
        city: "'=x",
        province: "'t Hooft",
        country: '= y',
      },
    ]);
  });

  it('is harmless in a file and comes back exactly', () => {
    const units = ["'", '=', '+', '-', '@', ';', '\t', '\r', ' ', '\u00a0', '＝', '"', 'a', '1'];
    const pieces = fc.constantFrom(...units);
    const texts = fc.oneof(fc.string({ unit: pieces, maxLength: 8 }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(texts, (text) => {
        const written = escapeFormula(text);
        expect(written).not.toMatch(/^\s*[=+\-@＝＋－＠]|^[\t\r]/);
        // Whether cells end at semicolons or tabs, also with the quotes removed.
        expect(written).not.toMatch(/[;\t][\s"]*[=+\-@＝＋－＠]/);
        expect(unescapeFormula(written)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
