import { crc32, deflateRawSync } from 'node:zlib';

const deflated = 8;

/** One entry of a hand-made zip. Fields that are not given are truthful. */
export type ZipEntry = {
  name: string;
  content?: string | Buffer;
  method?: number;
  packed?: Buffer;
  claimedSize?: number;
  crc?: number;
  flags?: number;
  extra?: Buffer;
  comment?: Buffer;
  local?: { name?: string; size?: number; method?: number };
  /** Refers to this local header instead of writing one. */
  offset?: number;
};

/** Little-endian numbers, as in a zip. */
export function fields(...parts: [bytes: 2 | 4, value: number][]): Buffer {
  return Buffer.concat(
    parts.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}

export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.local?.name ?? entry.name);
  const size = entry.local?.size ?? claimedSize(entry);
  const method = entry.local?.method ?? entry.method ?? deflated;
  return Buffer.concat([
    fields([4, 0x04034b50]),
    sharedFields(entry, method, size),
    fields([2, name.length], [2, 0]),
    name,
  ]);
}

function directoryHeader(entry: ZipEntry, offset: number): Buffer {
  const name = Buffer.from(entry.name);
  const extra = entry.extra ?? Buffer.alloc(0);
  const comment = entry.comment ?? Buffer.alloc(0);
  return Buffer.concat([
    fields([4, 0x02014b50], [2, 20]),
    sharedFields(entry, entry.method ?? deflated, claimedSize(entry)),
    fields([2, name.length], [2, extra.length], [2, comment.length], [4, 0], [4, 0], [4, offset]),
    name,
    extra,
    comment,
  ]);
}

function sharedFields(entry: ZipEntry, method: number, size: number): Buffer {
  const crc = entry.crc ?? crc32(entry.content ?? '');
  return fields(
    [2, 20],
    [2, entry.flags ?? 0],
    [2, method],
    [4, 0],
    [4, crc],
    [4, packed(entry).length],
    [4, size],
  );
}

function claimedSize(entry: ZipEntry): number {
  return entry.claimedSize ?? Buffer.byteLength(entry.content ?? '');
}

function packed(entry: ZipEntry): Buffer {
  const content = Buffer.from(entry.content ?? '');
  return entry.packed ?? ((entry.method ?? deflated) === deflated ? deflateRawSync(content) : content);
}

/** Defects of the archive as a whole. */
export type ZipFlaws = {
  prefix?: Buffer;
  beforeEnd?: Buffer;
  count?: number;
  directoryOffBy?: number;
};

export function zip(entries: ZipEntry[], flaws: ZipFlaws = {}): Buffer {
  const body: Buffer[] = [flaws.prefix ?? Buffer.alloc(0)];
  const directory: Buffer[] = [];
  let position = flaws.prefix?.length ?? 0;
  for (const entry of entries) {
    directory.push(directoryHeader(entry, entry.offset ?? position));
    if (entry.offset !== undefined) continue;
    const bytes = Buffer.concat([localHeader(entry), packed(entry)]);
    body.push(bytes);
    position += bytes.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const count = flaws.count ?? entries.length;
  const directoryOffset = position + (flaws.directoryOffBy ?? 0);
  const counts = fields([2, count], [2, count], [4, directoryBytes.length], [4, directoryOffset], [2, 0]);
  return Buffer.concat([
    ...body,
    directoryBytes,
    flaws.beforeEnd ?? Buffer.alloc(0),
    fields([4, 0x06054b50], [4, 0]),
    counts,
  ]);
}
