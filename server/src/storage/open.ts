import { join } from 'node:path';
import { createFolderStorage } from './folder.ts';
import type { ObjectStorage } from './port.ts';
import type { S3StorageOptions } from './s3.ts';

type Settings = { dataDir: string; s3: S3StorageOptions | undefined };

/** Loads the S3 driver on demand, because its library is large. */
export async function openStorage(config: Settings): Promise<ObjectStorage> {
  if (!config.s3) return createFolderStorage(join(config.dataDir, 'objects'));
  const { createS3Storage } = await import('./s3.ts');
  return createS3Storage(config.s3);
}
