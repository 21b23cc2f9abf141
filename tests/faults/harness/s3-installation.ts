import { makeBucket } from '@customer-database/testkit/bucket';
import { type FaultyProxy, openFaultyProxy } from '@customer-database/testkit/faulty-proxy';
import { startSwift, swift as swiftPart } from '@customer-database/testkit/swift';
import { createS3Storage } from '../../../server/src/storage/s3.ts';
import { type Installation, openInstallation } from './installation.ts';
import { requireParts } from './parts.ts';

export type S3Installation = {
  installation: Installation;
  /** Sits between the server and the store. */
  proxy: FaultyProxy;
  env: Record<string, string>;
  close(): Promise<void>;
};

const bucket = 'documents';

/** The server on a real S3 store behind a faulty proxy; verification bypasses the proxy. */
export async function openS3Installation(folder: string): Promise<S3Installation> {
  requireParts(swiftPart);
  const swift = await startSwift();
  const options = await makeBucket(swift, bucket);
  const proxy = await openFaultyProxy(swift.endpoint);
  const env = {
    S3_BUCKET: bucket,
    S3_ENDPOINT: proxy.endpoint,
    S3_ACCESS_KEY_ID: swift.accessKeyId,
    S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
  };
  const storage = createS3Storage(options);
  const installation = await openInstallation(folder, 'storage-s3', { env, storage });
  return {
    installation,
    proxy,
    env,
    async close() {
      await installation.close();
      await storage.close();
      await proxy.close();
      await swift.stop();
    },
  };
}
