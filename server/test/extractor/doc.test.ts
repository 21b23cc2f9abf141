import { openReader } from '@customer-database/testkit/extraction';
import { formatPage, type Run, type WordFile, wordFile } from '@customer-database/testkit/word-files';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';

const { textOf, outcomeOf } = openReader();

const bytes = (text: string, encoding = 'win1252') => iconv.encode(text, encoding);

const field = (instruction: string, result: string) => `\x13 ${instruction} \x14${result}\x15`;

/** With everything that Word writes as a character. */
const runs: Run[] = [
  { text: bytes('Depart\x1fment, well\x1eknown\x02\r') },
  { text: bytes('Item\x07') },
  { text: bytes('3\x07') },
  { text: bytes('100.00 EUR\x07') },
  { text: bytes('\x07'), isRowEnd: true },
  {
    text: bytes(
      `Page ${field('PAGE', '7')} of ${field(`IF ${field('X', 'hidden')}`, field('Y', '9'))}\x01\r`,
    ),
  },
  { text: bytes('\x13XE "index"\x15gone'), isDeleted: true },
  { text: bytes('Grüße – “all”\x0bline\x0cpage\r') },
];
const text = 'Department, well-known\nItem\t3\t100.00 EUR\nPage 7 of 9\nGrüße – “all”\nline\npage';

describe('The text of a DOC', { timeout: 120_000 }, () => {
  it.each<[string, WordFile]>([
    [
      'Word 97 and later',
      {
        version: 97,
        runs: runs.map((run) => ({ ...run, text: `${iconv.decode(run.text as Buffer, 'win1252')}` })),
      },
    ],
    ['Word 97 and later, in bytes', { version: 97, runs }],
    ['Word 6 and 95', { version: 6, runs }],
    ['Word 6 and 95 after a fast save', { version: 6, runs, isFastSaved: true }],
  ])('of %s has its tables, fields and signs', async (_, file) => {
    expect(await textOf(wordFile(file))).toBe(text);
  });

  it('of Word 97 continues across pieces in bytes and in UTF-16, which divide words', async () => {
    const pieces = [
      { text: bytes('Naïve Zo') },
      { text: 'ë Łó' },
      { text: bytes('d') },
      { text: 'ź 東京 😀' },
    ];
    expect(await textOf(wordFile({ version: 97, runs: pieces }))).toBe('Naïve Zoë Łódź 東京 😀');
  });

  it('of Word 6 has the letters of its fonts, language and system', async () => {
    const [greek, japanese, russian] = [
      bytes('αβγ', 'win1253'),
      bytes('日本', 'shiftjis'),
      bytes('Привет', 'win1251'),
    ];
    const languages = { russian: 0x419, english: 0x409 };
    const byFont = [
      { text: greek, font: 1 },
      { text: japanese, font: 2 },
      { text: bytes('é'), font: 0 },
    ];
    const cases: [Omit<WordFile, 'version'>, string][] = [
      [{ runs: byFont, fonts: [0, 161, 128] }, 'αβγ日本é'],
      [{ runs: [{ text: russian }], language: languages.russian }, 'Привет'],
      [{ runs: [{ text: russian }], fonts: [204], language: languages.english }, 'Привет'],
      [{ runs: [{ text: bytes('grüße', 'macroman') }], isMacintosh: true }, 'grüße'],
    ];
    for (const [file, expected] of cases)
      expect(await textOf(wordFile({ version: 6, ...file }))).toBe(expected);
  });

  it('of Word 2 is its body', async () => {
    const file = wordFile({ version: 2, runs: [{ text: bytes(`Grüße, ${field('PAGE', '7')}\r`) }] });
    expect(await textOf(file)).toBe('Grüße, 7');
  });

  it('survives fields that do not end', async () => {
    const open = '\x13 a \x14b\x13 c \x14\x14d';
    expect(await textOf(wordFile({ version: 97, runs: [{ text: `\x15\x14 x ${open} y` }] }))).toBe('x bd y');
  });

  const size = 9 * 1024 * 1024;

  it('is read within the limits although it repeats a long text hundreds of times', async () => {
    const file = wordFile({
      version: 97,
      runs: [{ text: Buffer.alloc(size, 'word ') }],
      repetitions: 400,
    });
    expect(await outcomeOf(file)).toBe('text');
  });

  it('is read within the limits although a million formats cover all of the text', async () => {
    const deleted = Buffer.from([3, 0x00, 0x08, 1]);
    const page = formatPage(Array(50).fill({ from: 0, to: size, changes: deleted }), 1);
    const formatPages = Array.from({ length: size / page.length }, (_, index) => index + 2);
    const file = wordFile({ version: 97, runs: [{ text: Buffer.alloc(size, page) }], formatPages });
    expect(await outcomeOf(file)).toBe('text');
  });
});
