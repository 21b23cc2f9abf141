import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../core/config.ts';
import { createFolderStorage } from '../storage/folder.ts';
import { isObjectKey } from '../storage/guards.ts';
import type { ObjectStorage } from '../storage/port.ts';
import { prefixedStorage } from '../storage/prefixed.ts';
import { BackupRefused } from './layout.ts';

/** Where backups are stored: a folder, or a prefix in a bucket. */
export type BackupTarget = ObjectStorage & { name: string };

const s3Pattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/(.*?))?\/?$/;

// Long, because backups may cross a slow line and no user waits for them.
const requestTimeoutMs = 10 * 60_000;

async function openBucket(config: Config, name: string): Promise<ObjectStorage> {
  const [, bucket = '', prefix = ''] = s3Pattern.exec(name) ?? [];
  if (bucket === '' || (prefix !== '' && !isObjectKey(prefix))) {
    throw new BackupRefused(`${name} is not a backup target such as s3://bucket or s3://bucket/folder`);
  }
  const { createS3Storage } = await import('../storage/s3.ts');
  const storage = createS3Storage({ ...config.backup.s3, bucket, requestTimeoutMs });
  return prefix === '' ? storage : prefixedStorage(storage, prefix);
}

async function openFolder(path: string, readOnly: boolean): Promise<ObjectStorage> {
  const found = await stat(path).catch(() => undefined);
  if (readOnly && !found) throw new BackupRefused(`There is no folder ${path}`);
  if (found && !found.isDirectory()) throw new BackupRefused(`${path} is not a folder`);
  return createFolderStorage(path, { readOnly, removeEmptyFolders: true });
}

/** `name` is `s3://bucket/folder` or a folder path. For writing, the folder is created. */
export async function openTarget(
  config: Config,
  name: string,
  purpose: 'writing' | 'reading',
): Promise<BackupTarget> {
  const storage = name.startsWith('s3://')
    ? await openBucket(config, name)
    : await openFolder(resolve(name), purpose === 'reading');
  return { ...storage, name };
}
