// node deploy/make-bucket.ts ENDPOINT BUCKET
// Creates a missing bucket as soon as the store answers. Credentials are AWS_ACCESS_KEY_ID and
// AWS_SECRET_ACCESS_KEY in the environment.
import { setTimeout as delay } from 'node:timers/promises';
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const deadline = Date.now() + 120_000;
const [endpoint = '', Bucket = ''] = process.argv.slice(2);
const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });

async function bucketExists(): Promise<boolean> {
  return client.send(new HeadBucketCommand({ Bucket })).then(
    () => true,
    () => false,
  );
}

while (!(await bucketExists())) {
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    if (Date.now() > deadline) throw error;
    await delay(1_000);
  }
}
