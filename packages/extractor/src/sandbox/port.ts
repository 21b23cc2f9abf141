import type { Pixels } from '../protocol.ts';

export type PageReading = {
  text: string;
  /** Without text of its own, but with something to see. */
  isPicture?: boolean;
};

export type Reading = {
  pageCount: number;
  /** Those after the given number of pages. Read as they are asked for; what the reader holds is released at the end. */
  pagesAfter(skipped: number): Iterable<PageReading>;
};

/** What every format offers. */
export type Format = {
  /** Decided by the first bytes: names and types may be wrong. */
  matches(bytes: Buffer): boolean;
  /** Throws `ProtectedError` if a password is needed, and any other error if the document cannot be read. */
  read(bytes: Buffer): Promise<Reading>;
  /** The first page, at most so wide and twice as high. */
  drawFirstPage?(bytes: Buffer, width: number): Promise<Pixels>;
};

/** Without its password the text cannot be read. */
export class ProtectedError extends Error {
  override name = 'ProtectedError';
}
