import { openReader } from '@customer-database/testkit/extraction';
import { describe, expect, it } from 'vitest';

const { textOf, outcomeOf } = openReader();

const rtf = (text: string, header = '') => Buffer.from(`{\\rtf1\\ansi\\deff0${header}${text}}`, 'latin1');

const fonts = (...charsets: number[]) =>
  `{\\fonttbl${charsets.map((charset, index) => `{\\f${index}\\fnil\\fcharset${charset} Name;}`).join('')}}`;

const hex = (text: string) => text.replace(/../g, "\\'$&");

describe('The text of RTF', { timeout: 120_000 }, () => {
  it.each<[string, Buffer, string]>([
    [
      'paragraphs, lines and tabs',
      rtf('One\\par Two\\line three\\tab four\\\nfive'),
      'One\nTwo\nthree\tfour\nfive',
    ],
    [
      'the cells of a table',
      rtf('\\trowd\\cellx1\\cellx2\\intbl Item\\cell 1\\cell 3\\cell 100.00 EUR\\cell\\row\\pard Total\\par'),
      'Item\t1\t3\t100.00 EUR\nTotal',
    ],
    [
      'a table in a table, without the text for readers that know none',
      rtf(
        '\\intbl\\itap2 in\\nestcell{\\*\\nesttableprops\\nestrow}{\\nonesttables\\par old}\\itap1 out\\cell\\row',
      ),
      'in\nout',
    ],
    [
      'neither title nor author, styles, colours nor the program',
      rtf(
        'Text',
        '{\\stylesheet{\\s0 Normal;}}{\\colortbl;\\red0;}{\\info{\\title Title}{\\author Author}}{\\*\\generator Word;}',
      ),
      'Text',
    ],
    [
      'no pictures, as hexadecimal digits or as bytes',
      rtf(
        'a{\\pict\\pngblip 89504e47\n0d0a1a0a}b{\\*\\shppict{\\pict ffd8}}c{\\nonshppict{\\pict 0100}}d{\\pict\\bin8 }}}{\\\\x1}e',
      ),
      'abcde',
    ],
    [
      'embedded objects as they look',
      rtf('a {\\object{\\*\\objclass Excel}{\\*\\objdata 0105}{\\result {\\pard shown\\par}}}'),
      'a shown',
    ],
    [
      'the results of fields, without their instructions',
      rtf(
        'See {\\field{\\*\\fldinst HYPERLINK "http://x"}{\\fldrslt the {\\field{\\fldinst PAGE}{\\fldrslt third}} page}}.{\\xe index}{\\*\\bkmkstart mark}',
      ),
      'See the third page.',
    ],
    [
      'headers and notes after the body',
      rtf(
        '{\\header Head}{\\footerf Foot}Body{\\super\\chftn{\\footnote Note {\\b bold}}} goes on{\\*\\atnid AB}{\\*\\atnauthor Ann}{\\annotation Comment}.',
      ),
      'Body goes on.\nHead\n\nFoot\n\nNote bold\n\nComment',
    ],
    [
      'text boxes of new and old programs once',
      rtf(
        'a{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt New}}{\\shprslt{\\*\\do{\\dptxbxtext New}}}}b{\\*\\do\\dobxpage{\\dptxbxtext Old}}c',
      ),
      'abc\nNew\nOld',
    ],
    ['no deleted text', rtf('kept{\\deleted  gone}\\deleted  gone\\plain  too'), 'kept too'],
    ['hyphens', rtf('Depart\\-ment well\\_known a\\~b'), 'Department well-known a\u00a0b'],
    ['quotes and dashes', rtf('\\ldblquote a\\rdblquote\\emdash\\bullet\\{\\\\\\}'), '“a”—•{\\}'],
    [
      'Unicode with its fallback of some characters',
      rtf("\\u321?ucja \\uc2\\u26085\\'93\\'fa{\\uc0\\u-10179\\u-8704}\\u128512??\\u233\\rquote x."),
      'Łucja 日😀😀é.',
    ],
    ['text in two forms as Unicode only', rtf('{\\upr{Lodz}{\\*\\ud{\\u321 ?ód\\u378?}}}'), 'Łódź'],
    ['the code page of the document', rtf("za\\'bf\\'f3\\'b3\\'e6", '\\ansicpg1250'), 'zażółć'],
    ['that of an old Macintosh', Buffer.from("{\\rtf1\\mac gr\\'9f\\'a7e}"), 'grüße'],
    ['that of DOS', Buffer.from("{\\rtf1\\pc gr\\'81\\'e1e}"), 'grüße'],
    [
      'the charset of each font, also where the fonts come late',
      rtf(
        `{\\info{\\title T}}${fonts(0, 204, 238, 161)}gr\\'fc\\'df {\\f1\\'cf\\'f0}{\\f2\\'b3}{\\f3\\'e1} \\'fc`,
      ),
      'grüß Прłα ü',
    ],
    ['fonts in one group', rtf("\\'cf", '{\\fonttbl\\f0\\fnil\\fcharset204 Arial Cyr;}'), 'П'],
    [
      'characters of two bytes',
      rtf(
        `${hex('93fa967b')} \\'83A ${'\x83'}A {\\f1 ${hex('c8d5b1be')}}{\\f2 ${hex('a4e9a5bb')}}{\\f3 ${hex('c7d1b1db')}}`,
        fonts(128, 134, 136, 129),
      ),
      '日本 ア ア 日本日本한글',
    ],
    ['nothing after the end', Buffer.from('{\\rtf1 Text}{more}\0\0'), 'Text'],
    ['a file without an end', Buffer.from('{\\rtf1 {\\b Text'), 'Text'],
  ])('has %s', async (_, bytes, text) => {
    expect(await textOf(bytes)).toBe(text);
  });

  const size = 10 * 1024 * 1024;
  const full = (unit: string, opening = '{\\rtf1 ') =>
    Buffer.concat([Buffer.from(opening), Buffer.alloc(size - opening.length, unit)]);

  it.each<[string, Buffer]>([
    ['one line of ten megabytes', full('word')],
    ['millions of words', full('\\tab')],
    ['millions of bytes', full("\\'e9")],
    ['millions of Unicode characters', full('\\u9', '{\\rtf1\\uc0 ')],
    ['millions of changes of the font', full("{\\f1\\'e9}{\\f2 a}", `{\\rtf1${fonts(0, 204, 128)}`)],
    ['millions of notes', full('{\\footnote a}')],
    ['hundreds of thousands of fonts', full('{\\f9\\fcharset204 A;}', '{\\rtf1{\\fonttbl')],
    ['lengths beyond the end', full('\\bin2000000000 x')],
    ['negative and endless numbers', full(`\\bin-1\\uc-9\\u-99999\\f${'9'.repeat(300)} `)],
  ])('is read within the limits in spite of %s', async (_, bytes) => {
    expect(await outcomeOf(bytes)).toBe('text');
  });

  it('is not read from groups that are nested a million times', async () => {
    expect(await outcomeOf(full('{'))).toBe('unreadable');
  });
});
