export const COMPOUND_FILE_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const LITTLE_ENDIAN_MARK = 0xfffe;
const HEADER_BYTES = 512;
const DIRECTORY_ENTRY_BYTES = 128;
const MINI_SECTOR_BYTES = 64;
const MINI_STREAM_LIMIT = 4096;
const FAT_SECTORS_IN_HEADER = 109;

const END_OF_CHAIN = 0xfffffffe;
const NO_ENTRY = 0xffffffff;

/** Word writes a dozen. */
const MAX_SIBLINGS = 1_000;

const TYPE_STREAM = 2;
const TYPE_ROOT = 5;

interface Sectors {
  bytes: Buffer;
  sectorBytes: number;
  sectorCount: number;
  fatSectors: number[];
}

interface DirectoryEntry {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
}

export interface CompoundFile extends Sectors {
  root: DirectoryEntry;
  /** Those directly under the root. */
  streams: Map<string, DirectoryEntry>;
}

/** Undefined when it is no OLE compound file, or its directory is not all there. */
export function openCompoundFile(bytes: Buffer): CompoundFile | undefined {
  const sectors = readHeader(bytes);
  const directory = sectors && chainFrom(sectors, bytes.readUInt32LE(48));
  if (!directory) return undefined;
  const root = readEntry(sectors, directory, 0);
  if (root?.type !== TYPE_ROOT) return undefined;
  return { ...sectors, root, streams: streamsUnder(sectors, directory, root) };
}

/**
 * The opening bytes (one mini sector at most) of a stream that lies directly under the root. Undefined when
 * there is no such stream or the sectors it needs are not all there.
 */
export function openingOfStream(file: CompoundFile, name: string): Buffer | undefined {
  const stream = file.streams.get(name);
  return stream && openingOf(file, stream);
}

function readHeader(bytes: Buffer): Sectors | undefined {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, 8).equals(COMPOUND_FILE_SIGNATURE)) return undefined;
  const version = bytes.readUInt16LE(26);
  const sectorShift = bytes.readUInt16LE(30);
  const shiftFitsVersion = (version === 3 && sectorShift === 9) || (version === 4 && sectorShift === 12);
  if (bytes.readUInt16LE(28) !== LITTLE_ENDIAN_MARK || !shiftFitsVersion) return undefined;
  if (2 ** bytes.readUInt16LE(32) !== MINI_SECTOR_BYTES) return undefined;
  if (bytes.readUInt32LE(56) !== MINI_STREAM_LIMIT) return undefined;
  const sectorBytes = 2 ** sectorShift;
  // Some writers leave the last sector short, so a started sector counts.
  const sectorCount = Math.ceil(bytes.length / sectorBytes) - 1;
  const fatSectors = readFatSectors(bytes, sectorBytes, sectorCount);
  return fatSectors && { bytes, sectorBytes, sectorCount, fatSectors };
}

/** The table's own sectors are listed in the header and, in files above 7 MB, in a chain of further sectors. */
function readFatSectors(bytes: Buffer, sectorBytes: number, sectorCount: number): number[] | undefined {
  const wanted = bytes.readUInt32LE(44);
  if (wanted > sectorCount) return undefined;
  const sectors: number[] = [];
  let listing = 76;
  let room = FAT_SECTORS_IN_HEADER;
  let following = bytes.readUInt32LE(68);
  while (sectors.length < wanted) {
    if (room === 0) {
      listing = (following + 1) * sectorBytes;
      if (listing + sectorBytes > bytes.length) return undefined;
      room = sectorBytes / 4 - 1;
      following = bytes.readUInt32LE(listing + sectorBytes - 4);
    }
    const sector = bytes.readUInt32LE(listing);
    if ((sector + 2) * sectorBytes > bytes.length) return undefined;
    sectors.push(sector);
    listing += 4;
    room -= 1;
  }
  return sectors;
}

/** Follows a chain to its end; a chain longer than the file has sectors runs in circles. */
function chainFrom(file: Sectors, start: number): number[] | undefined {
  const entriesPerSector = file.sectorBytes / 4;
  const chain: number[] = [];
  for (let sector = start; sector !== END_OF_CHAIN; ) {
    if (sector >= file.sectorCount || chain.length >= file.sectorCount) return undefined;
    chain.push(sector);
    const fatSector = file.fatSectors[Math.floor(sector / entriesPerSector)];
    if (fatSector === undefined) return undefined;
    sector = file.bytes.readUInt32LE((fatSector + 1) * file.sectorBytes + (sector % entriesPerSector) * 4);
  }
  return chain;
}

function readEntry(file: Sectors, directory: number[], id: number): DirectoryEntry | undefined {
  const position = id * DIRECTORY_ENTRY_BYTES;
  const sector = directory[Math.floor(position / file.sectorBytes)];
  if (sector === undefined) return undefined;
  const offset = (sector + 1) * file.sectorBytes + (position % file.sectorBytes);
  const entry = file.bytes.subarray(offset, offset + DIRECTORY_ENTRY_BYTES);
  if (entry.length < DIRECTORY_ENTRY_BYTES) return undefined;
  // The length counts the closing NUL; the field holds 32 UTF-16 units.
  const nameBytes = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62);
  return {
    name: entry.toString('utf16le', 0, nameBytes),
    type: entry.readUInt8(66),
    left: entry.readUInt32LE(68),
    right: entry.readUInt32LE(72),
    child: entry.readUInt32LE(76),
    start: entry.readUInt32LE(116),
    size: entry.readUInt32LE(120),
  };
}

/**
 * Siblings form a binary tree. It is walked whole rather than by comparing names, since not every writer
 * orders it as the format demands; but not beyond an entry that is missing or was seen already.
 */
function streamsUnder(
  file: Sectors,
  directory: number[],
  parent: DirectoryEntry,
): Map<string, DirectoryEntry> {
  const streams = new Map<string, DirectoryEntry>();
  const seen = new Set<number>();
  const pending = [parent.child];
  for (let id = pending.pop(); id !== undefined && seen.size < MAX_SIBLINGS; id = pending.pop()) {
    if (id === NO_ENTRY) continue;
    const entry = readEntry(file, directory, id);
    if (!entry || seen.has(id)) break;
    if (entry.type === TYPE_STREAM) streams.set(entry.name, entry);
    seen.add(id);
    pending.push(entry.left, entry.right);
  }
  return streams;
}

function openingOf(file: CompoundFile, stream: DirectoryEntry): Buffer | undefined {
  const isMini = stream.size < MINI_STREAM_LIMIT;
  const chain = chainFrom(file, isMini ? file.root.start : stream.start);
  const position = isMini ? stream.start * MINI_SECTOR_BYTES : 0;
  const end = isMini ? position + Math.min(stream.size, MINI_SECTOR_BYTES) : stream.size;
  const sector = chain?.[Math.floor(position / file.sectorBytes)];
  if (!chain || sector === undefined || end > chain.length * file.sectorBytes) return undefined;
  const offset = (sector + 1) * file.sectorBytes + (position % file.sectorBytes);
  return file.bytes.subarray(offset, offset + Math.min(stream.size, MINI_SECTOR_BYTES));
}
