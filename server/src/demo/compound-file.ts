const SECTOR_BYTES = 512;
const ENTRIES_PER_FAT_SECTOR = SECTOR_BYTES / 4;
/** Shorter streams would have to share sectors in a second, finer table. */
const SHORTEST_STREAM_BYTES = 4096;

const FAT_SECTOR = 0xfffffffd;
const END_OF_CHAIN = 0xfffffffe;
const UNUSED = 0xffffffff;

const TYPE_STREAM = 2;
const TYPE_ROOT = 5;
const RED = 0;
const BLACK = 1;

export interface CompoundStream {
  name: string;
  content: Buffer;
}

/**
 * An OLE compound file with two streams, laid out as first, second, directory, allocation table. The
 * directory is a binary search tree: the first stream is its top and the second goes to the left, so the
 * second must have the shorter name.
 */
export function compoundFile(classId: Buffer, first: CompoundStream, second: CompoundStream): Buffer {
  const top = { name: first.name, content: padded(first.content) };
  const left = { name: second.name, content: padded(second.content) };
  const topSectors = top.content.length / SECTOR_BYTES;
  const leftSectors = left.content.length / SECTOR_BYTES;
  const directorySector = topSectors + leftSectors;
  const directory = Buffer.concat([
    directoryEntry({ name: 'Root Entry', type: TYPE_ROOT, colour: BLACK, child: 1, classId }),
    directoryEntry({
      name: top.name,
      type: TYPE_STREAM,
      colour: BLACK,
      left: 2,
      start: 0,
      size: top.content.length,
    }),
    directoryEntry({
      name: left.name,
      type: TYPE_STREAM,
      colour: RED,
      start: topSectors,
      size: left.content.length,
    }),
    directoryEntry({ name: '', type: 0, colour: RED }),
  ]);
  const fat = allocationTable([topSectors, leftSectors, 1]);
  return Buffer.concat([
    header(directorySector, fat.length / SECTOR_BYTES),
    top.content,
    left.content,
    directory,
    fat,
  ]);
}

function padded(content: Buffer): Buffer {
  const sectors = Math.ceil(Math.max(content.length, SHORTEST_STREAM_BYTES) / SECTOR_BYTES);
  return Buffer.concat([content], sectors * SECTOR_BYTES);
}

function header(directorySector: number, fatSectors: number): Buffer {
  const bytes = Buffer.alloc(SECTOR_BYTES);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(Math.log2(SECTOR_BYTES), 30);
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(fatSectors, 44);
  bytes.writeUInt32LE(directorySector, 48);
  bytes.writeUInt32LE(SHORTEST_STREAM_BYTES, 56);
  bytes.writeUInt32LE(END_OF_CHAIN, 60);
  bytes.writeUInt32LE(END_OF_CHAIN, 68);
  bytes.fill(0xff, 76);
  for (let index = 0; index < fatSectors; index += 1) {
    bytes.writeUInt32LE(directorySector + 1 + index, 76 + index * 4);
  }
  return bytes;
}

function directoryEntry(entry: {
  name: string;
  type: number;
  colour: number;
  left?: number;
  child?: number;
  start?: number;
  size?: number;
  classId?: Buffer;
}): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(entry.name, 'utf16le');
  bytes.writeUInt16LE(entry.name === '' ? 0 : (entry.name.length + 1) * 2, 64);
  bytes.writeUInt8(entry.type, 66);
  bytes.writeUInt8(entry.colour, 67);
  bytes.writeUInt32LE(entry.left ?? UNUSED, 68);
  bytes.writeUInt32LE(UNUSED, 72);
  bytes.writeUInt32LE(entry.child ?? UNUSED, 76);
  entry.classId?.copy(bytes, 80);
  bytes.writeUInt32LE(entry.start ?? (entry.type === TYPE_ROOT ? END_OF_CHAIN : 0), 116);
  bytes.writeUInt32LE(entry.size ?? 0, 120);
  return bytes;
}

/** Each chain lies in one piece, so every sector points to its neighbour. The table also lists itself. */
function allocationTable(chainLengths: number[]): Buffer {
  const next: number[] = [];
  for (const length of chainLengths) {
    for (let left = length; left > 1; left -= 1) next.push(next.length + 1);
    next.push(END_OF_CHAIN);
  }
  // Every sector of the table also needs one entry for itself.
  const sectors = Math.ceil(next.length / (ENTRIES_PER_FAT_SECTOR - 1));
  const bytes = Buffer.alloc(sectors * SECTOR_BYTES, 0xff);
  const entries = [...next, ...Array<number>(sectors).fill(FAT_SECTOR)];
  for (const [sector, value] of entries.entries()) bytes.writeUInt32LE(value, sector * 4);
  return bytes;
}
