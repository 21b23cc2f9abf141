import { macBytes } from './proof.ts';

const idBytes = 8;
const entryBytes = idBytes + macBytes;

export type Entry = { id: number; mac: Buffer };

/** The rows of a seal, each with its id and its mac. */
export function packEntries(entries: Entry[]): Buffer {
  const packed = Buffer.alloc(entries.length * entryBytes);
  entries.forEach(({ id, mac }, at) => {
    packed.writeBigUInt64BE(BigInt(id), at * entryBytes);
    mac.copy(packed, at * entryBytes + idBytes);
  });
  return packed;
}

export function unpackEntries(packed: Buffer): Entry[] {
  return Array.from({ length: Math.floor(packed.length / entryBytes) }, (_, at) => {
    const start = at * entryBytes;
    const mac = packed.subarray(start + idBytes, start + entryBytes);
    return { id: Number(packed.readBigUInt64BE(start)), mac };
  });
}
