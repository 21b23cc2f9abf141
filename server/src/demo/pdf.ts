const PAGE_WIDTH = 595;
const PAGE_HEIGHT = 842;
const MARGIN = 57;

interface Line {
  text: string;
  font: 'Body' | 'Title';
  size: number;
  /** Distance to the line above. */
  leading: number;
}

const TITLE_STYLE = { font: 'Title', size: 18, leading: 24, charactersPerLine: 46 } as const;
const BODY_STYLE = { font: 'Body', size: 11, leading: 15, charactersPerLine: 84 } as const;
const PARAGRAPH_GAP = 9;

/** The objects that every page refers to come first, so that their numbers are known. */
const FIXED_OBJECTS = 5;

export function pdfFile(title: string, paragraphs: string[]): Buffer {
  const lines = [title, ...paragraphs].flatMap((text, index) => layOut(text, index === 0));
  const pages = paginate(lines);
  const pageNumbers = pages.map((_, index) => FIXED_OBJECTS + 1 + index * 2);
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageNumbers.map((number) => `${number} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
    `<< /Title <feff${Buffer.from(title, 'utf16le').swap16().toString('hex')}> >>`,
    ...pages.flatMap((page, index) => [pageObject(FIXED_OBJECTS + 2 + index * 2), contentObject(page)]),
  ]);
}

function layOut(text: string, isTitle: boolean): Line[] {
  const { charactersPerLine, ...style } = isTitle ? TITLE_STYLE : BODY_STYLE;
  return wrap(toWinAnsiText(text), charactersPerLine).map((line, index) => ({
    ...style,
    text: line,
    leading: style.leading + (index === 0 ? PARAGRAPH_GAP : 0),
  }));
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).flatMap((word) => word.match(new RegExp(`.{1,${width}}`, 'gs')) ?? []);
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

function paginate(lines: Line[]): Line[][] {
  const pages: Line[][] = [[]];
  let room = PAGE_HEIGHT - 2 * MARGIN;
  for (const line of lines) {
    room -= line.leading;
    if (room < 0) {
      pages.push([]);
      room = PAGE_HEIGHT - 2 * MARGIN - line.leading;
    }
    pages.at(-1)?.push(line);
  }
  return pages;
}

function pageObject(contentNumber: number): string {
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${PAGE_HEIGHT}]`,
    `/Resources << /Font << /Body 3 0 R /Title 4 0 R >> >> /Contents ${contentNumber} 0 R >>`,
  ].join('\n');
}

function contentObject(lines: Line[]): string {
  const operators = lines.map(
    ({ font, size, leading, text }) => `/${font} ${size} Tf\n0 -${leading} Td\n<${toWinAnsiHex(text)}> Tj`,
  );
  const stream = ['BT', `${MARGIN} ${PAGE_HEIGHT - MARGIN} Td`, ...operators, 'ET'].join('\n');
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`;
}

function assemble(objects: string[]): Buffer {
  // The comment of high bytes tells programs that copy files to treat this one as binary.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  // Readers count on entries of exactly twenty bytes, hence the blank before the line break.
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const WIN_ANSI_CODES = winAnsiCodes();
const LETTERS_WITHOUT_PARTS: Record<string, string> = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i', ʻ: '‘' };

function winAnsiCodes(): Map<string, number> {
  const decoder = new TextDecoder('windows-1252');
  const printable = Array.from({ length: 256 }, (_, code) => code).filter(
    (code) =>
      code >= 0x20 && !(code >= 0x7f && code <= 0x9f && decoder.decode(Uint8Array.of(code)) < '\u00a0'),
  );
  return new Map(printable.map((code) => [decoder.decode(Uint8Array.of(code)), code]));
}

/** Letters that the built-in fonts lack lose their accents; what is left without a likeness becomes '?'. */
function toWinAnsiText(text: string): string {
  return [...text.normalize('NFC')].map((character) => likeness(character)).join('');
}

function likeness(character: string): string {
  if (/[\s\p{Cc}]/u.test(character)) return ' ';
  if (WIN_ANSI_CODES.has(character)) return character;
  const plain = LETTERS_WITHOUT_PARTS[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
  return [...plain].every((part) => WIN_ANSI_CODES.has(part)) ? plain : '?';
}

function toWinAnsiHex(text: string): string {
  return Buffer.from([...text].map((character) => WIN_ANSI_CODES.get(character) ?? 0x3f)).toString('hex');
}
