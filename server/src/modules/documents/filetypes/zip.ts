import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, validateFileName, type ZipFile } from 'yauzl';

const MAX_ENTRIES = 5_000;
const MAX_INFLATED_BYTES = 200 * 1024 * 1024;

/** Blank bitmaps shrink a thousandfold in honest files, so the ratio is only judged where it could hurt. */
const RATIO_IGNORED_BELOW_BYTES = 10 * 1024 * 1024;
const MAX_RATIO = 200;

const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_EXTRA_FIELD = 0x0001;
const END_RECORD_BYTES = 22;
const DIRECTORY_HEADER_BYTES = 46;

const STORED = 0;
const DEFLATED = 8;
const FLAG_SIZES_FOLLOW_DATA = 1 << 3;
const FLAGS_ENCRYPTED = (1 << 0) | (1 << 6) | (1 << 13);

export interface ZipPart {
  inflatedBytes: number;
  crc: number;
  /** Fails as soon as there is more than `inflatedBytes`, and at the end if there is less. */
  open: () => Promise<Readable>;
}

interface PlacedPart extends ZipPart {
  start: number;
  end: number;
}

/**
 * The parts of a zip by lower-case name, after every claim its headers make has been checked without
 * inflating anything. Throws or answers undefined when the archive is not one that all readers would
 * understand alike.
 */
export async function readZipDirectory(bytes: Buffer): Promise<Map<string, ZipPart> | undefined> {
  if (bytes.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) return undefined;
  const zip = await fromBufferPromise(bytes, { decodeStrings: false });
  const directory = locateDirectory(bytes, zip);
  if (!directory || zip.entryCount > MAX_ENTRIES) return undefined;

  const parts = new Map<string, PlacedPart>();
  let directoryBytes = 0;
  let inflatedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString('latin1');
    // Two names that differ in case only are the same part to Word.
    const key = name.toLowerCase();
    if (name === '' || validateFileName(name) !== null || parts.has(key)) return undefined;
    const part = await placePart(zip, entry);
    if (!part) return undefined;
    parts.set(key, part);
    inflatedBytes += part.inflatedBytes;
    if (inflatedBytes > MAX_INFLATED_BYTES) return undefined;
    directoryBytes +=
      DIRECTORY_HEADER_BYTES + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
  }
  const fits = directoryBytes === directory.size && areApart([...parts.values()], directory.offset);
  return fits ? parts : undefined;
}

/**
 * Zip64 is refused: a file of at most 10 MiB has no use for it, and readers disagree on which of the two
 * directories such an archive may carry is the real one.
 */
function locateDirectory(bytes: Buffer, zip: ZipFile): { offset: number; size: number } | undefined {
  const endRecord = bytes.length - END_RECORD_BYTES - zip.comment.length;
  const locator = endRecord - ZIP64_LOCATOR_BYTES;
  if (locator >= 0 && bytes.readUInt32LE(locator) === ZIP64_LOCATOR_SIGNATURE) return undefined;
  const size = bytes.readUInt32LE(endRecord + 12);
  const offset = bytes.readUInt32LE(endRecord + 16);
  return offset + size === endRecord ? { offset, size } : undefined;
}

async function placePart(zip: ZipFile, entry: Entry): Promise<PlacedPart | undefined> {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) return undefined;
  if (entry.extraFields.some((field) => field.id === ZIP64_EXTRA_FIELD)) return undefined;
  if (uncompressedSize > RATIO_IGNORED_BELOW_BYTES && uncompressedSize > compressedSize * MAX_RATIO) {
    return undefined;
  }
  const local = await zip.readLocalFileHeaderPromise(entry);
  if ((entry.generalPurposeBitFlag | local.generalPurposeBitFlag) & FLAGS_ENCRYPTED) return undefined;
  if (local.compressionMethod !== compressionMethod) return undefined;
  if (!local.fileName.equals(entry.fileNameRaw)) return undefined;
  const sizesFollow = (local.generalPurposeBitFlag & FLAG_SIZES_FOLLOW_DATA) !== 0;
  const sizesAgree = local.compressedSize === compressedSize && local.uncompressedSize === uncompressedSize;
  if (!sizesFollow && !sizesAgree) return undefined;
  const end = local.fileDataStart + compressedSize;
  return {
    start: entry.relativeOffsetOfLocalHeader,
    end,
    inflatedBytes: uncompressedSize,
    crc: entry.crc32,
    open: () => zip.openReadStreamPromise(entry),
  };
}

/** Entries that share bytes are how a small zip unfolds into a huge one. */
function areApart(parts: PlacedPart[], directoryOffset: number): boolean {
  let free = 0;
  for (const part of parts.sort((a, b) => a.start - b.start)) {
    if (part.start < free) return false;
    free = part.end;
  }
  return free <= directoryOffset;
}

/** The content of a small part, or undefined when it is larger than allowed. */
export async function readZipPart(part: ZipPart, maxBytes: number): Promise<Buffer | undefined> {
  if (part.inflatedBytes > maxBytes) return undefined;
  return buffer(inflated(part));
}

/** Piece by piece, so that memory stays at one; throws when it is not what its header says. */
export async function* inflated(part: ZipPart): AsyncGenerator<Buffer> {
  let crc = 0;
  for await (const piece of await part.open()) {
    crc = crc32(piece, crc);
    yield piece;
  }
  if (crc !== part.crc) throw new Error('The content does not fit its checksum');
}
