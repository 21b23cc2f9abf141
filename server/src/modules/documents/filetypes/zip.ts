import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { withoutPadding } from '@customer-database/extractor/zip-padding';
import { type Entry, fromBufferPromise, validateFileName, type ZipFile } from 'yauzl';

const maxEntries = 5_000;
const maxInflatedBytes = 200 * 1024 * 1024;

/** Legitimate blank bitmaps compress to a thousandth, so the ratio of small parts is not checked. */
const ratioIgnoredBelowBytes = 10 * 1024 * 1024;
/** A table with thousands of equal rows reaches 140 in the XML of LibreOffice, and Word writes more around each. */
const maxRatio = 500;

const localHeaderSignature = 0x04034b50;
const zip64LocatorSignature = 0x07064b50;
const zip64LocatorBytes = 20;
const zip64ExtraField = 0x0001;
const endRecordBytes = 22;
const directoryHeaderBytes = 46;

const stored = 0;
const deflated = 8;
const sizesFollowDataFlag = 1 << 3;
const encryptionFlags = (1 << 0) | (1 << 6) | (1 << 13);

export type ZipPart = {
  inflatedBytes: number;
  crc: number;
  /** The stream fails if there are more or fewer bytes than `inflatedBytes`. */
  open: () => Promise<Readable>;
};

type LocatedPart = ZipPart & { start: number; end: number };

/**
 * The parts of a zip by lower-case name. Validates the headers without inflating anything. Throws or returns undefined
 * if readers could interpret the archive differently.
 */
export async function readZipDirectory(file: Buffer): Promise<Map<string, ZipPart> | undefined> {
  const bytes = withoutPadding(file);
  if (bytes.readUInt32LE(0) !== localHeaderSignature) return undefined;
  const zip = await fromBufferPromise(bytes, { decodeStrings: false });
  const directory = locateDirectory(bytes, zip);
  if (!directory || zip.entryCount > maxEntries) return undefined;

  const parts = new Map<string, LocatedPart>();
  let directoryBytes = 0;
  let inflatedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString('latin1');
    // Two names that differ in case only are the same part to Word.
    const key = name.toLowerCase();
    if (name === '' || validateFileName(name) !== null || parts.has(key)) return undefined;
    const part = await locatePart(zip, entry);
    if (!part) return undefined;
    parts.set(key, part);
    inflatedBytes += part.inflatedBytes;
    if (inflatedBytes > maxInflatedBytes) return undefined;
    directoryBytes +=
      directoryHeaderBytes + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
  }
  const fits = directoryBytes === directory.size && areDisjoint([...parts.values()], directory.offset);
  return fits ? parts : undefined;
}

/**
 * Refuses Zip64: a file of at most 10 MiB does not need it, and readers disagree on which of the two directories of
 * such an archive counts.
 */
function locateDirectory(bytes: Buffer, zip: ZipFile): { offset: number; size: number } | undefined {
  const endRecord = bytes.length - endRecordBytes - zip.comment.length;
  const locator = endRecord - zip64LocatorBytes;
  if (locator >= 0 && bytes.readUInt32LE(locator) === zip64LocatorSignature) return undefined;
  const size = bytes.readUInt32LE(endRecord + 12);
  const offset = bytes.readUInt32LE(endRecord + 16);
  return offset + size === endRecord ? { offset, size } : undefined;
}

async function locatePart(zip: ZipFile, entry: Entry): Promise<LocatedPart | undefined> {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (compressionMethod !== stored && compressionMethod !== deflated) return undefined;
  if (entry.extraFields.some((field) => field.id === zip64ExtraField)) return undefined;
  if (uncompressedSize > ratioIgnoredBelowBytes && uncompressedSize > compressedSize * maxRatio) {
    return undefined;
  }
  const local = await zip.readLocalFileHeaderPromise(entry);
  if ((entry.generalPurposeBitFlag | local.generalPurposeBitFlag) & encryptionFlags) return undefined;
  if (local.compressionMethod !== compressionMethod) return undefined;
  if (!local.fileName.equals(entry.fileNameRaw)) return undefined;
  const sizesFollow = (local.generalPurposeBitFlag & sizesFollowDataFlag) !== 0;
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

/** Zip bombs use overlapping entries to inflate a small file into a huge one. */
function areDisjoint(parts: LocatedPart[], directoryOffset: number): boolean {
  let free = 0;
  for (const part of parts.sort((a, b) => a.start - b.start)) {
    if (part.start < free) return false;
    free = part.end;
  }
  return free <= directoryOffset;
}

/** The content of a part; undefined if it is larger than `maxBytes`. */
export async function readZipPart(part: ZipPart, maxBytes: number): Promise<Buffer | undefined> {
  if (part.inflatedBytes > maxBytes) return undefined;
  return buffer(inflated(part));
}

/** Streams the content of a part. Throws if it does not match the checksum of its header. */
export async function* inflated(part: ZipPart): AsyncGenerator<Buffer> {
  let crc = 0;
  for await (const chunk of await part.open()) {
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== part.crc) throw new Error('The content does not fit its checksum');
}
