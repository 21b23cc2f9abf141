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
import { isObjectKey, refuseBadKey, refuseBadPrefix, refuseBadRange } from './guards.ts';
import {
  type ByteRange,
  ObjectMissingError,
  type ObjectStorage,
  type PresignInput,
  StorageUnavailableError,
  type StoredObject,
} from './port.ts';

export type S3StorageOptions = {
  bucket: string;
  /** Absent: Amazon's own, by region. */
  endpoint?: string;
  region: string;
  /** Both absent: found where the SDK looks for them (environment, profile, instance role). */
  accessKeyId?: string;
  secretAccessKey?: string;
  /** The bucket in the path instead of the host name: what most stores other than Amazon's want. */
  forcePathStyle: boolean;
  /** How long one attempt may take until the store begins its answer, sending the bytes included. */
  requestTimeoutMs?: number;
};

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 20_000;
// What carries no bytes to the store begins to be answered soon, or somebody waits in vain.
const READ_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
const HEALTH_TIMEOUT_MS = 5_000;
const MAX_ATTEMPTS = 2;
const MAX_SOCKETS = 200;

const PROBE_KEY = 'health/probe';
const PROBE_BODY = Buffer.from('ok');

export function createS3Storage(options: S3StorageOptions): ObjectStorage {
  const Bucket = options.bucket;
  const client = createClient(options);
  const reading = { requestTimeout: Math.min(READ_TIMEOUT_MS, options.requestTimeoutMs ?? READ_TIMEOUT_MS) };

  async function put(key: string, body: Buffer): Promise<void> {
    refuseBadKey(key);
    await client.send(putCommand(key, body)).catch(unavailable);
  }

  function putCommand(key: string, body: Buffer): PutObjectCommand {
    const ContentMD5 = createHash('md5').update(body).digest('base64');
    return new PutObjectCommand({ Bucket, Key: key, Body: body, ContentLength: body.length, ContentMD5 });
  }

  async function get(
    key: string,
    range?: ByteRange,
    wholeSize?: number,
    checksum?: Checksum,
  ): Promise<Readable> {
    refuseBadKey(key);
    if (range) refuseBadRange(range);
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const answer = await client.send(new GetObjectCommand({ Bucket, Key: key, Range }), reading);
      const body = bodyOf(answer, { key, range, checksum });
      if ((wholeSize ?? sizeOf(answer)) === sizeOf(answer)) return body;
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
    refuseBadKey(key);
    try {
      const { ContentLength, LastModified } = await client.send(
        new HeadObjectCommand({ Bucket, Key: key }),
        reading,
      );
      return { key, size: ContentLength ?? 0, modifiedAt: LastModified ?? new Date(0) };
    } catch (error) {
      if (statusOf(error) !== 404) return unavailable(error);
      // The answer to HEAD has no body that could say whether the object or the whole bucket is missing.
      await client.send(new HeadBucketCommand({ Bucket }), reading).catch(unavailable);
      return undefined;
    }
  }

  async function remove(key: string): Promise<void> {
    refuseBadKey(key);
    try {
      await client.send(new DeleteObjectCommand({ Bucket, Key: key }), reading);
    } catch (error) {
      if (!isMissingObject(error)) unavailable(error);
    }
  }

  async function* list(prefix: string, onStray?: (name: string) => void): AsyncIterable<StoredObject> {
    refuseBadPrefix(prefix);
    try {
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        for (const { Key, Size, LastModified } of page.Contents ?? []) {
          // A bucket may hold things that are not ours.
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
   * Only a write followed by a read tells that both are allowed and work; looking at the bucket does not.
   * Always the same bytes under the same key, and never deleted: checks of several instances cannot disturb
   * each other, nothing piles up, and a bucket with versions gets no delete markers.
   */
  async function checkHealth(): Promise<void> {
    const abortSignal = AbortSignal.timeout(HEALTH_TIMEOUT_MS);
    try {
      await client.send(putCommand(PROBE_KEY, PROBE_BODY), { abortSignal });
      const answer = await client.send(new GetObjectCommand({ Bucket, Key: PROBE_KEY }), { abortSignal });
      const read = Buffer.concat(await bodyOf(answer, { key: PROBE_KEY }).toArray());
      if (!read.equals(PROBE_BODY)) throw new Error('the probe was not read back as written');
    } catch (error) {
      unavailable(error);
    }
  }

  async function presign(input: PresignInput): Promise<string> {
    refuseBadKey(input.key);
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
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
    maxAttempts: MAX_ATTEMPTS,
    // Content-MD5 guards what is sent; every store knows it, unlike the SDK's newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

type Wanted = { key: string; range?: ByteRange | undefined; checksum?: Checksum | undefined };

function bodyOf(answer: GetObjectCommandOutput, { key, range, checksum }: Wanted): Readable {
  const { Body, ContentLength, ContentRange } = answer;
  if (!(Body instanceof Readable)) throw new Error('the answer has no body');
  const rangeKept = !range || ContentRange?.startsWith(`bytes ${range.start}-`);
  if (ContentLength === undefined || !rangeKept) {
    Body.destroy();
    throw new Error('the answer does not say which bytes it holds');
  }
  return verifiedBody(Body, { key, bytes: ContentLength, checksum: range ? undefined : checksum });
}

/** Of the whole object, also where only a part of it comes. */
function sizeOf({ ContentLength, ContentRange }: GetObjectCommandOutput): number | undefined {
  return ContentRange === undefined ? ContentLength : Number(ContentRange.split('/')[1]);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** The status alone does not tell: a missing bucket is 404 too, and so is whatever else may answer there. */
function isMissingObject(error: unknown): boolean {
  return error instanceof S3ServiceException && error.name === 'NoSuchKey';
}

function unavailable(cause: unknown): never {
  throw new StorageUnavailableError('object storage did not do what was asked', { cause });
}
