import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../core/config.ts';
import { storageBelow } from '../storage/below.ts';
import { createFolderStorage } from '../storage/folder.ts';
import { isObjectKey } from '../storage/guards.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { BackupRefused } from './layout.ts';

/** Where backups lie: a folder, or a part of a bucket. */
export type Place = { name: string; storage: ObjectStorage };

const s3Shape = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*?))?\/?$/;

// A backup may go far away over a slow line, and nobody waits for its answer.
const requestTimeoutMs = 10 * 60_000;

async function openBucket(config: Config, name: string): Promise<ObjectStorage> {
  const [, bucket = '', below = ''] = s3Shape.exec(name) ?? [];
  if (bucket === '' || (below !== '' && !isObjectKey(below))) {
    throw new BackupRefused(`${name} is not a place such as s3://bucket or s3://bucket/folder`);
  }
  const { createS3Storage } = await import('../storage/s3.ts');
  const storage = createS3Storage({ ...config.backup.s3, bucket, requestTimeoutMs });
  return below === '' ? storage : storageBelow(storage, below);
}

async function openFolder(path: string, forReading: boolean): Promise<ObjectStorage> {
  const found = await stat(path).catch(() => undefined);
  if (forReading && !found) throw new BackupRefused(`There is no folder ${path}`);
  if (found && !found.isDirectory()) throw new BackupRefused(`${path} is not a folder`);
  return createFolderStorage(path, { forReading, removesFolders: true });
}

/** `s3://bucket/folder` or the path of a folder, which is made unless it is only to be read. */
export async function openPlace(
  config: Config,
  name: string,
  purpose: 'writing' | 'reading',
): Promise<Place> {
  const storage = name.startsWith('s3://')
    ? await openBucket(config, name)
    : await openFolder(resolve(name), purpose === 'reading');
  return { name, storage };
}
