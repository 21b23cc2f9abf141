import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { verifiedBody } from './body.ts';
import type { Checksum } from './checksum.ts';
import { assertKey, assertPrefix, assertRange, isObjectKey } from './guards.ts';
import {
  type ByteRange,
  ObjectMissingError,
  type ObjectStorage,
  type PresignInput,
  type ReadOptions,
  StorageUnavailableError,
  type StoredObject,
} from './port.ts';

export type S3StorageOptions = {
  bucket: string;
  /** Default: Amazon's endpoint for the region. */
  endpoint?: string;
  region: string;
  /** Default: what the SDK finds (environment, profile, instance role). */
  accessKeyId?: string;
  secretAccessKey?: string;
  /** Puts the bucket into the path instead of the host name, as most stores other than Amazon's need. */
  forcePathStyle: boolean;
  /** For one attempt, from sending the bytes to the start of the response. */
  requestTimeoutMs?: number;
};

const connectionTimeoutMs = 3_000;
const defaultRequestTimeoutMs = 20_000;
// For requests without a body.
const readTimeoutMs = 5_000;
const idleTimeoutMs = 30_000;
const healthTimeoutMs = 5_000;
const maxAttempts = 2;
const maxSockets = 200;

const probeKey = 'health/probe';
const probeBody = Buffer.from('ok');

export function createS3Storage(options: S3StorageOptions): ObjectStorage {
  const Bucket = options.bucket;
  const client = createClient(options);
  const readOptions = { requestTimeout: Math.min(readTimeoutMs, options.requestTimeoutMs ?? readTimeoutMs) };

  async function put(key: string, body: Buffer): Promise<void> {
    assertKey(key);
    await client.send(putCommand(key, body)).catch(unavailable);
  }

  function putCommand(key: string, body: Buffer): PutObjectCommand {
    const ContentMD5 = createHash('md5').update(body).digest('base64');
    return new PutObjectCommand({ Bucket, Key: key, Body: body, ContentLength: body.length, ContentMD5 });
  }

  async function get(key: string, { range, size, checksum }: ReadOptions = {}): Promise<Readable> {
    assertKey(key);
    if (range) assertRange(range);
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const answer = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }), readOptions);
      const body = bodyOf(answer, { key, range, checksum });
      if ((size ?? sizeOf(answer)) === sizeOf(answer)) return body;
      body.destroy();
      throw new ObjectMissingError(key);
    } catch (error) {
      if (error instanceof ObjectMissingError) throw error;
      if (isMissingObject(error)) throw new ObjectMissingError(key);
      if (statusOf(error) === 416) throw new RangeError('byte range begins after the end of the object');
      return unavailable(error);
    }
  }

  async function head(key: string): Promise<StoredObject | undefined> {
    assertKey(key);
    try {
      const { ContentLength, LastModified } = await client.send(
        new HeadObjectCommand({ Bucket, Key: key }),
        readOptions,
      );
      return { key, size: ContentLength ?? 0, modifiedAt: LastModified ?? new Date(0) };
    } catch (error) {
      if (statusOf(error) !== 404) return unavailable(error);
      // A HEAD response has no body to tell a missing object from a missing bucket.
      await client.send(new HeadBucketCommand({ Bucket }), readOptions).catch(unavailable);
      return undefined;
    }
  }

  async function remove(key: string): Promise<void> {
    assertKey(key);
    try {
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }), readOptions);
    } catch (error) {
      if (!isMissingObject(error)) unavailable(error);
    }
  }

  async function* list(prefix: string, onStray?: (name: string) => void): AsyncIterable<StoredObject> {
    assertPrefix(prefix);
    try {
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          // The bucket may hold objects of other programs.
          if (Key !== undefined && isObjectKey(Key)) {
            yield { key: Key, size: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
          } else {
            onStray?.(Key ?? '');
          }
        }
      }
    } catch (error) {
      unavailable(error);
    }
  }

  /**
   * A HEAD of the bucket does not prove that writes and reads are allowed and work. Always writes the same bytes under
   * the same key and never deletes them: instances do not interfere, and a versioned bucket gets no delete markers.
   */
  async function checkHealth(): Promise<void> {
    const abortSignal = AbortSignal.timeout(healthTimeoutMs);
    try {
      await client.send(putCommand(probeKey, probeBody), { abortSignal });
      const answer = await client.send(new GetObjectCommand({ Bucket, Key: probeKey }), { abortSignal });
      const read = Buffer.concat(await bodyOf(answer, { key: probeKey }).toArray());
      if (!read.equals(probeBody)) throw new Error('the probe was not read back as written');
    } catch (error) {
      unavailable(error);
    }
  }

  async function presign(input: PresignInput): Promise<string> {
    assertKey(input.key);
    const command = new GetObjectCommand({
      Bucket,
      Key: input.key,
      ResponseContentType: input.contentType,
      ResponseContentDisposition: input.contentDisposition,
    });
    return getSignedUrl(client, command, { expiresIn: input.expiresInSeconds }).catch(unavailable);
  }

  async function close(): Promise<void> {
    client.destroy();
  }

  return { put, get, head, delete: remove, list, checkHealth, presign, close };
}

function createClient(options: S3StorageOptions): S3Client {
  const { accessKeyId, secretAccessKey, endpoint } = options;
  const agent = { keepAlive: true, maxSockets };
  return new S3Client({
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts,
    // Content-MD5 protects uploads; every store supports it, unlike the SDK's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: idleTimeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

type Source = { key: string; range?: ByteRange | undefined; checksum?: Checksum | undefined };

function bodyOf(answer: GetObjectCommandOutput, { key, range, checksum }: Source): Readable {
  const { Body, ContentLength, ContentRange } = answer;
  if (!(Body instanceof Readable)) throw new Error('the answer has no body');
  const hasRange = !range || ContentRange?.startsWith(`bytes ${range.start}-`);
  if (ContentLength === undefined || !hasRange) {
    Body.destroy();
    throw new Error('the answer does not say which bytes it holds');
  }
  return verifiedBody(Body, { key, bytes: ContentLength, checksum: range ? undefined : checksum });
}

/** The size of the whole object, even if the response holds a range. */
function sizeOf({ ContentLength, ContentRange }: GetObjectCommandOutput): number | undefined {
  return ContentRange === undefined ? ContentLength : Number(ContentRange.split('/')[1]);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** A 404 alone proves nothing: a missing bucket or another server answers the same. */
function isMissingObject(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchKey';
}

function unavailable(cause: unknown): never {
  throw new StorageUnavailableError('a request to the object storage failed', { cause });
}
