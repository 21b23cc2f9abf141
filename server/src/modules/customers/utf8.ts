import { isUtf8 } from 'node:buffer';
import { AppError } from '../../http/errors.ts';

const notUtf8 = (line: number) =>
  new AppError(
    'VALIDATION_FAILED',
    `Line ${line} is not UTF-8 text. Save the file with the encoding UTF-8 and try again.`,
  );

/** How many of the bytes make whole characters; the last one may go on in the next chunk. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isFirstOfSeveral = byte >= 0xc0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (isFirstOfSeveral) return length > back ? bytes.length - back : bytes.length;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

function countLineBreaks(bytes: Buffer, lineBreak: number): number {
  let count = 0;
  for (let at = bytes.indexOf(lineBreak); at >= 0; at = bytes.indexOf(lineBreak, at + 1)) count += 1;
  return count;
}

/** Hands on what is UTF-8, never with half a character, and stops at the first line that is not. */
export function createUtf8Check(): (chunk: Buffer, isLast: boolean) => Buffer {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  let lineBreak: number | undefined;
  return (chunk, isLast) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = isLast ? bytes : bytes.subarray(0, wholeCharacters(bytes));
    // Old files of the Mac know no other line break than \r.
    lineBreak ??= whole.includes('\n') ? 0x0a : 0x0d;
    if (!isUtf8(whole)) {
      for (let start = 0; ; line += 1) {
        const end = whole.indexOf(lineBreak, start);
        if (end < 0 || !isUtf8(whole.subarray(start, end))) throw notUtf8(line);
        start = end + 1;
      }
    }
    line += countLineBreaks(whole, lineBreak);
    rest = bytes.subarray(whole.length);
    return whole;
  };
}
