import type { Pixels } from '../protocol.ts';

export type PageReading = {
  text: string;
  /** Has something to see, but (almost) no text. */
  isPicture?: boolean;
};

export type Reading = {
  pageCount: number;
  /** The pages after the given number. Each is read on demand; the end of the iteration releases the document. */
  pagesAfter(skipped: number): Iterable<PageReading>;
};

export type Format = {
  /** Looks at the first bytes only: names and types may be wrong. */
  matches(bytes: Buffer): boolean;
  /** Throws `ProtectedError` if a password is needed, and any other error if the document cannot be read. */
  read(bytes: Buffer): Promise<Reading>;
  /** A picture of the first page, at most `width` wide and twice as high. */
  drawFirstPage?(bytes: Buffer, width: number): Promise<Pixels>;
};

/** The document needs a password. */
export class ProtectedError extends Error {
  override name = 'ProtectedError';
}
