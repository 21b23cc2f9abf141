import { makeBucket } from '@customer-database/testkit/bucket';
import { startSwift, swift as swiftPart } from '@customer-database/testkit/swift';
import { createS3Storage } from '../../../server/src/storage/s3.ts';
import { requireParts } from './parts.ts';

/** A real S3 store with a bucket, the settings of a server on it, and direct access. */
export async function openStore() {
  requireParts(swiftPart);
  const swift = await startSwift();
  const options = await makeBucket(swift, 'documents');
  const storage = createS3Storage(options);
  return {
    storage,
    env: {
      S3_BUCKET: options.bucket,
      S3_ENDPOINT: swift.endpoint,
      S3_ACCESS_KEY_ID: swift.accessKeyId,
      S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    },
    async close() {
      await storage.close();
      await swift.stop();
    },
  };
}
