export const NONE = 0xffffffff;
export const END = 0xfffffffe;

interface Place {
  name?: string;
  type?: number;
  left?: number;
  right?: number;
  child?: number;
  start?: number;
  size?: number;
}

export function directoryEntry(place: Place): Buffer {
  const entry = Buffer.alloc(128);
  entry.write(place.name ?? '', 'utf16le');
  entry.writeUInt16LE(((place.name ?? '').length + 1) * 2, 64);
  entry.writeUInt8(place.type ?? 0, 66);
  entry.writeUInt32LE(place.left ?? NONE, 68);
  entry.writeUInt32LE(place.right ?? NONE, 72);
  entry.writeUInt32LE(place.child ?? NONE, 76);
  entry.writeUInt32LE(place.start ?? 0, 116);
  entry.writeUInt32LE(place.size ?? 0, 120);
  return entry;
}

export interface Shape {
  sectorShift?: number;
  version?: number;
  directory: Place[];
  /** How long the one data chain is, in sectors. */
  dataSectors?: number;
  mark?: number;
  markOffset?: number;
}

/**
 * A compound file in the order directory, data, allocation table, list of the table's further sectors.
 * The directory always takes sector 0, the data starts at sector 1.
 */
export function compoundFile(shape: Shape): Buffer {
  const shift = shape.sectorShift ?? 9;
  const sectorBytes = 2 ** shift;
  const perSector = sectorBytes / 4;
  const dataSectors = shape.dataSectors ?? 8;
  const directory = Buffer.concat(shape.directory.map(directoryEntry), sectorBytes);
  const data = Buffer.alloc(dataSectors * sectorBytes);
  data.writeUInt16LE(shape.mark ?? 0xa5ec, shape.markOffset ?? 0);

  const next = [END, ...Array.from({ length: dataSectors }, (_, n) => (n + 1 < dataSectors ? n + 2 : END))];
  const fatSectors = Math.ceil((next.length + 4) / (perSector - 1));
  const fat = Buffer.alloc(fatSectors * sectorBytes, 0xff);
  for (const [sector, value] of next.entries()) fat.writeUInt32LE(value, sector * 4);
  const fatNumbers = Array.from({ length: fatSectors }, (_, n) => next.length + n);

  const header = Buffer.alloc(sectorBytes);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(shape.version ?? (shift === 9 ? 3 : 4), 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(shift, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(fatSectors, 44);
  header.writeUInt32LE(0, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(END, 60);
  header.fill(0xff, 76, 512);
  for (const [n, sector] of fatNumbers.slice(0, 109).entries()) header.writeUInt32LE(sector, 76 + n * 4);
  const further = fatNumbers.slice(109);
  header.writeUInt32LE(further.length > 0 ? next.length + fatSectors : END, 68);
  const list = Buffer.alloc(further.length > 0 ? sectorBytes : 0, 0xff);
  for (const [n, sector] of further.entries()) list.writeUInt32LE(sector, n * 4);
  return Buffer.concat([header, directory, data, fat, list]);
}
