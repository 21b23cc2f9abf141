/** What the process says first: from now on it answers. */
export const started = 'started';

/**
 * What the process is asked: the text of a document, or of one of its pages that is a picture, or what its first page
 * looks like.
 */
export type Request =
  /** The pages from this one on; all if it is missing. */
  | { kind: 'text'; bytes: Uint8Array; from?: number }
  | { kind: 'thumbnail'; bytes: Uint8Array; width: number }
  | { kind: 'picture'; bytes: Uint8Array; page: number };

export type PageText = {
  text: string;
  /** The words of the text, as PostgreSQL reads a tsvector. */
  words: string;
};

/** A word and where it stands on its page: left, top, width and height in ten-thousandths of the page. */
export type WordBox = [word: string, left: number, top: number, width: number, height: number];

export type ExtractedPage = PageText & {
  /** From 1. */
  page: number;
  /** Without text of its own, but with something to see. */
  isPicture: boolean;
};

export type ExtractedText = {
  pages: ExtractedPage[];
  /** Of the whole document, also if only some were read. */
  pageCount: number;
  /** ISO 639-3; null if there is too little text to tell. */
  language: string | null;
  /** Where to go on; null at the end. */
  nextPage: number | null;
  /** Processor time that it took. */
  cpuMs: number;
};

/** Four bytes for each pixel: red, green, blue and alpha. */
export type Pixels = { width: number; height: number; rgba: Uint8Array };

export type Answer =
  | { outcome: 'text'; result: ExtractedText }
  | { outcome: 'picture'; result: PageText & { language: string | null; boxes: WordBox[] } }
  /** Null if this format has no pages to draw. */
  | { outcome: 'thumbnail'; result: Pixels | null }
  | { outcome: 'protected' }
  /** The document is damaged or not what its first bytes say. */
  | {
      outcome: 'unreadable';
      /** For people. */
      reason: string;
      /** What the library says; for the log. */
      detail?: string;
    };

/** A document that has more than this is read only in part. */
export const extractionLimits = {
  pages: 5_000,
  charactersPerPage: 100_000,
  characters: 5_000_000,
  /** Of processor time: then no further page is begun in the same answer. */
  answerMs: 5_000,
  /** And then none at all. */
  readingMs: 30_000,
};
