const endRecordSignature = Buffer.from('PK\x05\x06', 'latin1');
const endRecordBytes = 22;

/** A block of most file systems and tapes. */
const maxPaddingBytes = 512;

/** NUL, blanks and line breaks, and the mark that ended files under CP/M and DOS. */
const isPadding = (byte: number) => byte === 0 || byte === 32 || byte === 26 || (byte >= 9 && byte <= 13);

/**
 * A zip without what transfers add after its end. Only if its end is unambiguous: a second end could hide other content
 * from those that check the file.
 */
export function withoutPadding(bytes: Buffer): Buffer {
  const start = bytes.lastIndexOf(endRecordSignature);
  if (start === -1 || start + endRecordBytes > bytes.length) return bytes;
  const end = start + endRecordBytes + bytes.readUInt16LE(start + endRecordBytes - 2);
  const padding = bytes.subarray(end);
  const isAmbiguous = bytes.indexOf(endRecordSignature) !== start;
  if (isAmbiguous || padding.length > maxPaddingBytes || !padding.every(isPadding)) return bytes;
  return bytes.subarray(0, end);
}
