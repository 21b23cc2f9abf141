import iconv from 'iconv-lite';

// All that have a table in a file. iconv-lite loads it on demand, which the process may not do later.
const encodings = ['shiftjis', 'eucjp', 'cp936', 'gbk', 'gb18030', 'cp949', 'cp950', 'big5hkscs'];

export function loadCodePages(): void {
  for (const encoding of encodings) {
    if (!iconv.encodingExists(encoding)) throw new Error(`iconv-lite lacks ${encoding}`);
  }
}

/** As Windows numbers them. */
export type CodePage = number;

export const western: CodePage = 1252;
export const macRoman: CodePage = 10_000;

/** Those that iconv-lite does not know by their number. */
const names: Record<CodePage, string> = {
  [macRoman]: 'macroman',
  10001: 'shiftjis',
  10006: 'macgreek',
  10007: 'maccyrillic',
  10029: 'maccenteuro',
  10081: 'macturkish',
  65001: 'utf8',
};

/** Charsets as fonts of Windows declare them. */
const codePageOfCharset: Record<number, CodePage> = {
  0: western,
  77: macRoman,
  78: 932,
  128: 932,
  129: 949,
  130: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
  254: 437,
  255: 850,
};

/** Undefined for charsets that do not say what the letters are: that of the system, and symbols. */
export const codePageOf = (charset: number): CodePage | undefined => codePageOfCharset[charset];

/** Unknown code pages count as Western. */
export function decodeBytes(bytes: Buffer, codePage: CodePage): string {
  const name = names[codePage] ?? String(codePage);
  return iconv.decode(bytes, iconv.encodingExists(name) ? name : String(western));
}
