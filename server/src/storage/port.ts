import type { Readable } from 'node:stream';
import type { Checksum } from './checksum.ts';

/** Inclusive, as in an HTTP Range header; an end past the last byte means the last byte. */
export type ByteRange = { start: number; end: number };

export type StoredObject = { key: string; size: number; modifiedAt: Date };

export type PresignInput = {
  key: string;
  expiresInSeconds: number;
  contentType: string;
  /** A complete Content-Disposition value. */
  contentDisposition: string;
};

export type ReadOptions = {
  range?: ByteRange | undefined;
  /** The size of the whole object. */
  size?: number;
  /** Of the whole object; a range is not verified. */
  checksum?: Checksum;
};

/**
 * Stores document bytes. The server makes all keys (letters, digits, '/', '-', '_', '.'; no part begins with
 * a dot) and never takes them from a request. Any other key throws a TypeError.
 */
export type ObjectStorage = {
  /** Atomic, and durable on return. Replaces an existing object. */
  put(key: string, body: Buffer): Promise<void>;
  /**
   * Throws ObjectMissingError if there is no such object or it has another size, RangeError if the range is outside of
   * it. The stream must be read to its end or destroyed. It fails with StorageUnavailableError unless every byte
   * arrives, and with ObjectDamagedError, before its last chunk, if the checksum does not match.
   */
  get(key: string, options?: ReadOptions): Promise<Readable>;
  head(key: string): Promise<StoredObject | undefined>;
  /** Succeeds if the object is already gone. */
  delete(key: string): Promise<void>;
  /**
   * Streams every object whose key starts with the prefix. Names that are not valid keys are skipped and
   * reported to `onStray`.
   */
  list(prefix: string, onStray?: (name: string) => void): AsyncIterable<StoredObject>;
  /** Throws StorageUnavailableError unless a write and a read succeed. */
  checkHealth(): Promise<void>;
  /** Only for stores that can issue their own links. */
  presign?(input: PresignInput): Promise<string>;
  close(): Promise<void>;
};

export class ObjectMissingError extends Error {
  override name = 'ObjectMissingError';
  readonly key: string;
  constructor(key: string) {
    super(`no object under ${key}`);
    this.key = key;
  }
}

/** The bytes in the store differ from those that were stored. */
export class ObjectDamagedError extends Error {
  override name = 'ObjectDamagedError';
  readonly key: string;
  constructor(key: string) {
    super(`the object under ${key} is not what was stored`);
    this.key = key;
  }
}

/** The store did not answer, refused access, is full or broken. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError';
}
