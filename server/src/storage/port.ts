import type { Readable } from 'node:stream';
import type { Checksum } from './checksum.ts';

/** Both ends included, as in an HTTP Range header; an end past the last byte means the last byte. */
export type ByteRange = { start: number; end: number };

export type StoredObject = { key: string; size: number; modifiedAt: Date };

export type PresignInput = {
  key: string;
  expiresInSeconds: number;
  contentType: string;
  /** A complete Content-Disposition value. */
  contentDisposition: string;
};

/**
 * Where document bytes live. Keys are made by this server (letters, digits, '/', '-', '_', '.'),
 * never taken from a caller; no part of a key begins with a dot. Any other key is refused with a TypeError.
 */
export interface ObjectStorage {
  /** Stores all bytes or nothing; on return they are durable. Replaces an object of the same key. */
  put(key: string, body: Buffer): Promise<void>;
  /**
   * Throws ObjectMissingError before the first byte when there is no such object, RangeError when it has no
   * such bytes. The stream ends only after every byte came; otherwise it fails with StorageUnavailableError.
   * It must be read to its end or destroyed. An object of another size than `wholeSize` is as good as missing;
   * of one with another checksum, the last bytes never come and the stream fails with ObjectDamagedError. Only
   * a whole object can be held against its checksum.
   */
  get(key: string, range?: ByteRange, wholeSize?: number, checksum?: Checksum): Promise<Readable>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Succeeds when the object is already gone. */
  delete(key: string): Promise<void>;
  /**
   * Every object whose key starts with the prefix, without holding them all in memory. What no key can name
   * is passed over; whoever wants to know is told its name.
   */
  list(prefix: string, onStray?: (name: string) => void): AsyncIterable<StoredObject>;
  /** Throws StorageUnavailableError unless the store can be written and read right now. */
  checkHealth(): Promise<void>;
  /** Only stores that can hand out links of their own have this. */
  presign?(input: PresignInput): Promise<string>;
  close(): Promise<void>;
}

export class ObjectMissingError extends Error {
  override name = 'ObjectMissingError';
  readonly key: string;
  constructor(key: string) {
    super(`no object under ${key}`);
    this.key = key;
  }
}

/** The store gave back something else than was stored. */
export class ObjectDamagedError extends Error {
  override name = 'ObjectDamagedError';
  readonly key: string;
  constructor(key: string) {
    super(`the object under ${key} is not what was stored`);
    this.key = key;
  }
}

/** The store did not answer, refused us, is full or broken: nothing the caller did. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError';
}
