export const compoundFileSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const littleEndianMark = 0xfffe;
const headerBytes = 512;
const directoryEntryBytes = 128;
const miniSectorBytes = 64;
const miniStreamLimit = 4096;
const fatSectorsInHeader = 109;

const endOfChain = 0xfffffffe;
const noEntry = 0xffffffff;

/** Word writes about twelve. */
const maxSiblings = 1_000;

const streamType = 2;
const rootType = 5;

type Sectors = {
  bytes: Buffer;
  sectorBytes: number;
  sectorCount: number;
  fatSectors: number[];
  /** The first sector of the table of mini sectors. */
  miniFatStart: number;
};

type DirectoryEntry = {
  name: string;
  type: number;
  left: number;
  right: number;
  child: number;
  start: number;
  size: number;
};

export type CompoundFile = Sectors & {
  root: DirectoryEntry;
  /** Only those directly under the root, by upper-case name: the format compares names without regard to case. */
  streams: Map<string, DirectoryEntry>;
};

/** Undefined if the bytes are not an OLE compound file or its directory is incomplete. */
export function openCompoundFile(bytes: Buffer): CompoundFile | undefined {
  const sectors = readHeader(bytes);
  const directory = sectors && chainFrom(sectors, bytes.readUInt32LE(48));
  if (!directory) return undefined;
  const root = readEntry(sectors, directory, 0);
  if (root?.type !== rootType) return undefined;
  return { ...sectors, root, streams: streamsUnder(sectors, directory, root) };
}

function readHeader(bytes: Buffer): Sectors | undefined {
  if (bytes.length < headerBytes || !bytes.subarray(0, 8).equals(compoundFileSignature)) return undefined;
  const version = bytes.readUInt16LE(26);
  const sectorShift = bytes.readUInt16LE(30);
  const shiftFitsVersion = (version === 3 && sectorShift === 9) || (version === 4 && sectorShift === 12);
  if (bytes.readUInt16LE(28) !== littleEndianMark || !shiftFitsVersion) return undefined;
  if (2 ** bytes.readUInt16LE(32) !== miniSectorBytes) return undefined;
  if (bytes.readUInt32LE(56) !== miniStreamLimit) return undefined;
  const sectorBytes = 2 ** sectorShift;
  // Some programs leave the last sector short, so a partial one counts.
  const sectorCount = Math.ceil(bytes.length / sectorBytes) - 1;
  const fatSectors = readFatSectors(bytes, sectorBytes, sectorCount);
  return fatSectors && { bytes, sectorBytes, sectorCount, fatSectors, miniFatStart: bytes.readUInt32LE(60) };
}

/** The sectors of the FAT are listed in the header and, in files above 7 MB, in a chain of further sectors. */
function readFatSectors(bytes: Buffer, sectorBytes: number, sectorCount: number): number[] | undefined {
  const wanted = bytes.readUInt32LE(44);
  if (wanted > sectorCount) return undefined;
  const sectors: number[] = [];
  let listing = 76;
  let room = fatSectorsInHeader;
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

/** Follows a chain of sectors to its end. A chain longer than the file is a loop. */
function chainFrom(file: Sectors, start: number): number[] | undefined {
  const entriesPerSector = file.sectorBytes / 4;
  const chain: number[] = [];
  for (let sector = start; sector !== endOfChain; ) {
    if (sector >= file.sectorCount || chain.length >= file.sectorCount) return undefined;
    chain.push(sector);
    const fatSector = file.fatSectors[Math.floor(sector / entriesPerSector)];
    if (fatSector === undefined) return undefined;
    sector = file.bytes.readUInt32LE((fatSector + 1) * file.sectorBytes + (sector % entriesPerSector) * 4);
  }
  return chain;
}

function readEntry(file: Sectors, directory: number[], id: number): DirectoryEntry | undefined {
  const position = id * directoryEntryBytes;
  const sector = directory[Math.floor(position / file.sectorBytes)];
  if (sector === undefined) return undefined;
  const offset = (sector + 1) * file.sectorBytes + (position % file.sectorBytes);
  const entry = file.bytes.subarray(offset, offset + directoryEntryBytes);
  if (entry.length < directoryEntryBytes) return undefined;
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
 * Siblings form a binary tree. Walks the whole tree instead of comparing names, because some programs do not order it
 * as the format demands. Stops at an entry that is missing or was seen before.
 */
function streamsUnder(
  file: Sectors,
  directory: number[],
  parent: DirectoryEntry,
): Map<string, DirectoryEntry> {
  const streams = new Map<string, DirectoryEntry>();
  const seen = new Set<number>();
  const pending = [parent.child];
  for (let id = pending.pop(); id !== undefined && seen.size < maxSiblings; id = pending.pop()) {
    if (id === noEntry) continue;
    const entry = readEntry(file, directory, id);
    if (!entry || seen.has(id)) break;
    if (entry.type === streamType) streams.set(entry.name.toUpperCase(), entry);
    seen.add(id);
    pending.push(entry.left, entry.right);
  }
  return streams;
}

/**
 * The first bytes (at most one mini sector) of a stream directly under the root. Undefined if there is no such stream
 * or its sectors are incomplete.
 */
export function firstBytesOfStream(file: CompoundFile, name: string): Buffer | undefined {
  const stream = file.streams.get(name.toUpperCase());
  if (!stream) return undefined;
  const isMini = stream.size < miniStreamLimit;
  const chain = chainFrom(file, isMini ? file.root.start : stream.start);
  const position = isMini ? stream.start * miniSectorBytes : 0;
  const end = isMini ? position + Math.min(stream.size, miniSectorBytes) : stream.size;
  const sector = chain?.[Math.floor(position / file.sectorBytes)];
  if (!chain || sector === undefined || end > chain.length * file.sectorBytes) return undefined;
  const offset = (sector + 1) * file.sectorBytes + (position % file.sectorBytes);
  return file.bytes.subarray(offset, offset + Math.min(stream.size, miniSectorBytes));
}

/** The content of a stream directly under the root. Undefined if there is none or its sectors are incomplete. */
export function readStream(file: CompoundFile, name: string): Buffer | undefined {
  const stream = file.streams.get(name.toUpperCase());
  const content =
    stream && (stream.size < miniStreamLimit ? miniSectorsOf(file, stream) : sectorsFrom(file, stream.start));
  return content && content.length >= stream.size ? content.subarray(0, stream.size) : undefined;
}

function sectorsFrom(file: Sectors, start: number): Buffer | undefined {
  const { bytes, sectorBytes } = file;
  const at = (sector: number) => (sector + 1) * sectorBytes;
  const chain = chainFrom(file, start);
  return chain && Buffer.concat(chain.map((sector) => bytes.subarray(at(sector), at(sector) + sectorBytes)));
}

/** The sectors of short streams are parts of one stream, and have a table as the sectors of the file have. */
function miniSectorsOf(file: CompoundFile, { start, size }: DirectoryEntry): Buffer | undefined {
  const table = sectorsFrom(file, file.miniFatStart);
  const container = sectorsFrom(file, file.root.start);
  if (!table || !container) return undefined;
  const pieces: Buffer[] = [];
  let sector = start;
  for (let length = 0; length < size; length += miniSectorBytes) {
    if ((sector + 1) * 4 > table.length) return undefined;
    pieces.push(container.subarray(sector * miniSectorBytes, (sector + 1) * miniSectorBytes));
    sector = table.readUInt32LE(sector * 4);
  }
  return Buffer.concat(pieces);
}
