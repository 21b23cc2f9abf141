import type { ObjectStorage } from '../storage/port.ts';
import {
  BackupDamaged,
  type Manifest,
  objectFolderPrefix,
  objectFolders,
  objectKeyOf,
  type Part,
} from './layout.ts';
import { linesOf, readParts } from './parts.ts';

/** The bytes that documents of a backup consist of, and where they lay in the storage. */
export type WantedObject = {
  sha256: string;
  size: number;
  storageKeys: string[];
  /** False when all backups that want it were made when it could not be read any more. */
  isRequired: boolean;
};

/** All documents of a backup whose sums begin alike. */
type Wanted = { folder: string; objects: Map<string, WantedObject> };

type Line = { sha256: string; size: number; storageKey: string };

const lineShape = /^([0-9a-f]{64}) ([1-9]\d{0,9}) (documents\/[A-Za-z0-9/_-]{1,200})$/;

async function* linesOfIndex(place: ObjectStorage, backup: Manifest): AsyncGenerator<Line> {
  let last = '';
  for await (const text of linesOf(readParts(place, backup.documents.parts))) {
    const [, sha256 = '', size = '', storageKey = ''] = lineShape.exec(text) ?? [];
    if (sha256 === '' || sha256 < last) {
      throw new BackupDamaged(`the list of documents of backup ${backup.id} cannot be read`);
    }
    last = sha256;
    yield { sha256, size: Number(size), storageKey };
  }
}

/**
 * Walks through the documents of one or several backups, a 256th of them at a time: what lies in the place is
 * compared folder by folder, and never all of it is in memory.
 */
export async function* wantedObjects(
  place: ObjectStorage,
  backups: readonly Manifest[],
): AsyncGenerator<Wanted> {
  const indexes = backups.map((backup) => linesOfIndex(place, backup));
  const unreadable = backups.map((backup) => new Set(backup.unreadable));
  const waiting = await Promise.all(indexes.map((index) => index.next()));
  for (const folder of objectFolders) {
    const objects = new Map<string, WantedObject>();
    for (const [number, index] of indexes.entries()) {
      let next = waiting[number];
      while (next && !next.done && next.value.sha256.startsWith(folder)) {
        const { sha256, size, storageKey } = next.value;
        const isRequired = !unreadable[number]?.has(sha256);
        const known = objects.get(sha256) ?? { sha256, size, storageKeys: [], isRequired };
        known.storageKeys.push(storageKey);
        known.isRequired ||= isRequired;
        objects.set(sha256, known);
        next = await index.next();
      }
      if (next) waiting[number] = next;
    }
    yield { folder, objects };
  }
}

/** The object as a part of every backup that wants it. */
export function partOf({ sha256, size }: Pick<WantedObject, 'sha256' | 'size'>): Part {
  return { key: objectKeyOf(sha256), bytes: size, sha256 };
}

/** What lies in a folder of the place, by sum. */
export async function storedObjects(
  place: ObjectStorage,
  folder: string,
  onStray?: (name: string) => void,
): Promise<Map<string, number>> {
  const prefix = objectFolderPrefix(folder);
  const found = new Map<string, number>();
  for await (const { key, size } of place.list(prefix, onStray)) {
    const name = key.slice(prefix.length);
    if (/^[0-9a-f]{64}$/.test(name) && name.startsWith(folder)) found.set(name, size);
    else onStray?.(key);
  }
  return found;
}
