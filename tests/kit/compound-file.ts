export const noSector = 0xffffffff;
export const endOfChain = 0xfffffffe;

type DirectoryEntry = {
  name?: string;
  type?: number;
  left?: number;
  right?: number;
  child?: number;
  start?: number;
  size?: number;
};

export function directoryEntry(fields: DirectoryEntry): Buffer {
  const entry = Buffer.alloc(128);
  entry.write(fields.name ?? '', 'utf16le');
  entry.writeUInt16LE(((fields.name ?? '').length + 1) * 2, 64);
  entry.writeUInt8(fields.type ?? 0, 66);
  entry.writeUInt32LE(fields.left ?? noSector, 68);
  entry.writeUInt32LE(fields.right ?? noSector, 72);
  entry.writeUInt32LE(fields.child ?? noSector, 76);
  entry.writeUInt32LE(fields.start ?? 0, 116);
  entry.writeUInt32LE(fields.size ?? 0, 120);
  return entry;
}

export type CompoundFileOptions = {
  sectorShift?: number;
  version?: number;
  directory: DirectoryEntry[];
  /** Length of the only data chain, in sectors. */
  dataSectors?: number;
  /** What the chain contains; otherwise only a mark. */
  content?: Buffer;
  mark?: number;
  markOffset?: number;
};

/** In this order: directory (sector 0), data (from sector 1), allocation table (FAT), list of further FAT sectors. */
export function compoundFile(options: CompoundFileOptions): Buffer {
  const shift = options.sectorShift ?? 9;
  const sectorBytes = 2 ** shift;
  const perSector = sectorBytes / 4;
  const dataSectors =
    options.dataSectors ?? Math.ceil((options.content?.length ?? 8 * sectorBytes) / sectorBytes);
  const directory = Buffer.concat(options.directory.map(directoryEntry), sectorBytes);
  const data = Buffer.alloc(dataSectors * sectorBytes);
  if (options.content) options.content.copy(data);
  else data.writeUInt16LE(options.mark ?? 0xa5ec, options.markOffset ?? 0);

  const next = [
    endOfChain,
    ...Array.from({ length: dataSectors }, (_, n) => (n + 1 < dataSectors ? n + 2 : endOfChain)),
  ];
  const fatSectors = Math.ceil((next.length + 4) / (perSector - 1));
  const fat = Buffer.alloc(fatSectors * sectorBytes, 0xff);
  for (const [sector, value] of next.entries()) fat.writeUInt32LE(value, sector * 4);
  const fatNumbers = Array.from({ length: fatSectors }, (_, n) => next.length + n);

  const header = Buffer.alloc(sectorBytes);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(options.version ?? (shift === 9 ? 3 : 4), 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(shift, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(fatSectors, 44);
  header.writeUInt32LE(0, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(endOfChain, 60);
  header.fill(0xff, 76, 512);
  for (const [n, sector] of fatNumbers.slice(0, 109).entries()) header.writeUInt32LE(sector, 76 + n * 4);
  const further = fatNumbers.slice(109);
  header.writeUInt32LE(further.length > 0 ? next.length + fatSectors : endOfChain, 68);
  const list = Buffer.alloc(further.length > 0 ? sectorBytes : 0, 0xff);
  for (const [n, sector] of further.entries()) list.writeUInt32LE(sector, n * 4);
  return Buffer.concat([header, directory, data, fat, list]);
}
