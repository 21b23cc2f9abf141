import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3StorageOptions } from '../../server/src/storage/s3.ts';
import type { Swift } from './swift.ts';

/** Creates a bucket and returns the storage options for it. */
export async function makeBucket(
  store: Pick<Swift, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>,
  bucket: string,
): Promise<S3StorageOptions> {
  const { endpoint, accessKeyId, secretAccessKey } = store;
  const access = { endpoint, region: 'us-east-1', forcePathStyle: true };
  const client = new S3Client({ ...access, credentials: { accessKeyId, secretAccessKey } });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { ...access, accessKeyId, secretAccessKey, bucket };
}
