import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createFolderStorage } from './folder.ts';
import type { ObjectStorage } from './port.ts';

/** The S3 driver is loaded only where it is used: its library is large. */
export async function openStorage(config: Config): Promise<ObjectStorage> {
  if (!config.s3) return createFolderStorage(join(config.dataDir, 'objects'));
  const { createS3Storage } = await import('./s3.ts');
  return createS3Storage(config.s3);
}
