import { type PdfPage, streamOf } from './pdf-builder.ts';

/** A line of text, and where it begins: in points from the left and the bottom. */
export type PlacedLine = { text: string; left: number; bottom: number; size?: number };

export type DrawnOptions = {
  /** Clockwise, in degrees. */
  rotation?: number;
  /** Each character stands below the one before. */
  isVertical?: boolean;
  /** The font claims to be three times as high as its characters, as some Chinese ones do. */
  isTall?: boolean;
};

const hexOf = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
const utf16Of = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

/** Which character each code is. */
function toUnicode(characters: string[]): Buffer {
  const lines = characters.map((character, code) => `<${hexOf(code, 2)}> <${utf16Of(character)}>`);
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ` +
      `${lines.length} beginbfchar ${lines.join(' ')} endbfchar endcmap`,
  );
}

/** Characters of any script, at most 256 different ones, each of them drawn as a square. */
export function squaresPage(lines: PlacedLine[], options: DrawnOptions = {}): PdfPage {
  const characters = [...new Set(lines.flatMap(({ text }) => [...text]))];
  const codeOf = (character: string) => hexOf(characters.indexOf(character), 2);
  const drawn = lines.flatMap(({ text, left, bottom, size = 12 }) => {
    const pieces = options.isVertical ? [...text] : [text];
    return pieces.map((piece, place) => {
      const codes = [...piece].map(codeOf).join('');
      return `/F2 ${size} Tf 1 0 0 1 ${left} ${bottom - place * size} Tm <${codes}> Tj`;
    });
  });
  const names = characters.map((_, code) => `/g${code}`);
  const box = options.isTall ? '[0 -1000 1000 2000]' : '[0 0 1000 1000]';
  const font =
    `<< /Type /Font /Subtype /Type3 /FontBBox ${box} /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 0 ` +
    `/LastChar ${names.length - 1} /Widths [${names.map(() => 1000).join(' ')}] ` +
    `/Encoding << /Type /Encoding /Differences [0 ${names.join(' ')}] >> ` +
    `/CharProcs << ${names.map((name) => `${name} 5 0 R`).join(' ')} >> /ToUnicode 6 0 R >>`;
  const square = Buffer.from('1000 0 50 50 950 950 d1 50 50 900 900 re f');
  return {
    content: Buffer.from(`BT ${drawn.join(' ')} ET`),
    resources: '/Font << /F2 OBJECT >>',
    objects: [Buffer.from(font), streamOf('', square), streamOf('', toUnicode(characters))],
    rotation: options.rotation ?? 0,
  };
}
