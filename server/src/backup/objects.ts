import type { ObjectStorage } from '../storage/port.ts';
import {
  BackupDamaged,
  type Manifest,
  objectFolderPrefix,
  objectFolders,
  objectKeyOf,
  type Part,
} from './layout.ts';
import { readParts, splitLines } from './parts.ts';

/** An object that backups refer to, and its keys in the document storage. */
export type WantedObject = {
  sha256: string;
  size: number;
  storageKeys: string[];
  /** False if each backup that refers to it was made without its bytes, which were unreadable. */
  isRequired: boolean;
};

/** The name of the folder is the first two digits of the checksums. */
export type WantedFolder = { folder: string; objects: Map<string, WantedObject> };

type Line = { sha256: string; size: number; storageKey: string };

const linePattern = /^([0-9a-f]{64}) ([1-9]\d{0,9}) (documents\/[A-Za-z0-9/_-]{1,200})$/;

async function* readIndex(target: ObjectStorage, backup: Manifest): AsyncGenerator<Line> {
  let last = '';
  for await (const text of splitLines(readParts(target, backup.documents.parts))) {
    const [, sha256 = '', size = '', storageKey = ''] = linePattern.exec(text) ?? [];
    if (sha256 === '' || sha256 < last) {
      throw new BackupDamaged(`the list of documents of backup ${backup.id} cannot be read`);
    }
    last = sha256;
    yield { sha256, size: Number(size), storageKey };
  }
}

/**
 * Merges the sorted document lists of several backups, folder by folder, so that only a 256th of the objects
 * is in memory at a time.
 */
export async function* wantedObjects(
  target: ObjectStorage,
  backups: readonly Manifest[],
): AsyncGenerator<WantedFolder> {
  const indexes = backups.map((backup) => readIndex(target, backup));
  const unreadable = backups.map((backup) => new Set(backup.unreadable));
  const heads = await Promise.all(indexes.map((index) => index.next()));
  for (const folder of objectFolders) {
    const objects = new Map<string, WantedObject>();
    for (const [number, index] of indexes.entries()) {
      let next = heads[number];
      while (next && !next.done && next.value.sha256.startsWith(folder)) {
        const { sha256, size, storageKey } = next.value;
        const isRequired = !unreadable[number]?.has(sha256);
        const known = objects.get(sha256) ?? { sha256, size, storageKeys: [], isRequired };
        known.storageKeys.push(storageKey);
        known.isRequired ||= isRequired;
        objects.set(sha256, known);
        next = await index.next();
      }
      if (next) heads[number] = next;
    }
    yield { folder, objects };
  }
}

/** The object as a part that can be read and verified. */
export function partOf({ sha256, size }: Pick<WantedObject, 'sha256' | 'size'>): Part {
  return { key: objectKeyOf(sha256), bytes: size, sha256 };
}

/** Maps the checksums of the objects in a folder to their sizes. */
export async function storedObjects(
  target: ObjectStorage,
  folder: string,
  onStray?: (name: string) => void,
): Promise<Map<string, number>> {
  const prefix = objectFolderPrefix(folder);
  const found = new Map<string, number>();
  for await (const { key, size } of target.list(prefix, onStray)) {
    const name = key.slice(prefix.length);
    if (/^[0-9a-f]{64}$/.test(name) && name.startsWith(folder)) found.set(name, size);
    else onStray?.(key);
  }
  return found;
}
