import { longs, shorts } from './little-endian.ts';

/** Format codes, each followed by its value when written. */
const BOLD = 0x0835;
const HALF_POINTS = 0x4a43;
const FONT = 0x4a4f;
const SPACE_AFTER = 0xa414;
const PAGE_WIDTH = 0xb01f;
const PAGE_HEIGHT = 0xb020;
const LEFT_MARGIN = 0xb021;
const RIGHT_MARGIN = 0xb022;
const TOP_MARGIN = 0x9023;
const BOTTOM_MARGIN = 0x9024;

const MARGIN_TWIPS = 1417;

/** The fixed styles take up the first fifteen places; those left empty have a length of zero. */
const FIXED_STYLES = 15;
const DEFAULT_CHARACTER_STYLE = 10;
const NO_BASE_STYLE = 0xfff;
const STYLE_HEAD_BYTES = 10;

export const titleLook = Buffer.concat([shorts(BOLD), Buffer.from([1]), shorts(HALF_POINTS, 36)]);

export function sectionLook(): Buffer {
  const a4 = shorts(PAGE_WIDTH, 11906, PAGE_HEIGHT, 16838);
  const sides = shorts(LEFT_MARGIN, MARGIN_TWIPS, RIGHT_MARGIN, MARGIN_TWIPS);
  const ends = shorts(TOP_MARGIN, MARGIN_TWIPS, BOTTOM_MARGIN, MARGIN_TWIPS);
  const look = Buffer.concat([a4, sides, ends]);
  return Buffer.concat([shorts(look.length), look]);
}

export function sectionTable(characters: number, lookOffset: number): Buffer {
  return Buffer.concat([longs(0, characters), shorts(0), longs(lookOffset), shorts(0), longs(0xffffffff)]);
}

/** One piece: the whole text, in UTF-16, at one place of the main stream. */
export function pieceTable(characters: number, textOffset: number): Buffer {
  const pieces = Buffer.concat([longs(0, characters), shorts(0), longs(textOffset), shorts(0)]);
  return Buffer.concat([Buffer.from([2]), longs(pieces.length), pieces]);
}

export function styleSheet(): Buffer {
  const normal = style('Normal', {
    code: 0,
    kind: 1,
    next: 0,
    looks: [shorts(0, SPACE_AFTER, 160), shorts(HALF_POINTS, 22, FONT, 0)],
  });
  const defaultCharacter = style('Default Paragraph Font', {
    code: 65,
    kind: 2,
    next: DEFAULT_CHARACTER_STYLE,
    looks: [Buffer.alloc(0)],
  });
  const styles = Array<Buffer>(FIXED_STYLES).fill(shorts(0));
  styles[0] = normal;
  styles[DEFAULT_CHARACTER_STYLE] = defaultCharacter;
  const head = shorts(FIXED_STYLES, STYLE_HEAD_BYTES, 1, 0x5b, FIXED_STYLES, 0, 0, 0, 0);
  return Buffer.concat([shorts(head.length), head, ...styles]);
}

function style(name: string, props: { code: number; kind: number; next: number; looks: Buffer[] }): Buffer {
  const looks = props.looks.flatMap((look) => [shorts(look.length), look]);
  const tail = Buffer.concat([shorts(name.length), Buffer.from(`${name}\0`, 'utf16le'), ...looks]);
  const bytes = STYLE_HEAD_BYTES + tail.length;
  const kindAndBase = props.kind | (NO_BASE_STYLE << 4);
  const countAndNext = props.looks.length | (props.next << 4);
  return Buffer.concat([shorts(bytes, props.code, kindAndBase, countAndNext, bytes, 0), tail]);
}

export function fontTable(name: string): Buffer {
  const swissTrueType = 0x26;
  const normalWeight = 400;
  const signatureBytes = 10 + 24;
  const font = Buffer.concat([
    Buffer.from([swissTrueType]),
    shorts(normalWeight, 0),
    Buffer.alloc(signatureBytes),
    Buffer.from(`${name}\0`, 'utf16le'),
  ]);
  return Buffer.concat([shorts(1, 0), Buffer.from([font.length]), font]);
}

export function documentProperties(): Buffer {
  const bytes = Buffer.alloc(500);
  const widowControl = 0x02;
  const footnotesAtPageEnd = 0x20;
  bytes.writeUInt8(widowControl | footnotesAtPageEnd, 0);
  bytes.writeUInt16LE(720, 10); // tab stops, in twips
  bytes.writeUInt16LE(360, 14); // hyphenation zone, in twips
  bytes.writeUInt16LE(100 << 3, 82); // zoom, in percent
  return bytes;
}
