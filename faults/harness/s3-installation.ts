import { makeBucket } from '@customer-database/testkit/bucket';
import { startSwift, swift as swiftPart } from '@customer-database/testkit/swift';
import { createS3Storage } from '../../server/src/storage/s3.ts';
import { type BrokenLine, openLine } from './broken-line.ts';
import { type Installation, openInstallation } from './installation.ts';
import { requirePart } from './require-part.ts';

export type S3Installation = {
  installation: Installation;
  /** Between the server and the store. */
  line: BrokenLine;
  env: Record<string, string>;
  close(): Promise<void>;
};

const bucket = 'documents';

/** The server on a real S3 store, behind a line that can be broken; what is compared goes past that line. */
export async function openS3Installation(folder: string): Promise<S3Installation> {
  requirePart(swiftPart);
  const swift = await startSwift();
  const options = await makeBucket(swift, bucket);
  const line = await openLine(swift.endpoint);
  const env = {
    S3_BUCKET: bucket,
    S3_ENDPOINT: line.endpoint,
    S3_ACCESS_KEY_ID: swift.accessKeyId,
    S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
  };
  const storage = createS3Storage(options);
  const installation = await openInstallation(folder, 'storage-s3', { env, storage });
  return {
    installation,
    line,
    env,
    async close() {
      await installation.close();
      await storage.close();
      await line.close();
      await swift.stop();
    },
  };
}
