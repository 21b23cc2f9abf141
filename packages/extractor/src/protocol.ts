/** The first message of the process: it is ready. */
export const started = 'started';

export type Request =
  /** The text of a document, from the given page on or from the first. */
  | { kind: 'text'; bytes: Uint8Array; from?: number }
  /** A picture of the first page. */
  | { kind: 'thumbnail'; bytes: Uint8Array; width: number }
  /** The text of a page that is a picture. */
  | { kind: 'picture'; bytes: Uint8Array; page: number };

export type PageText = {
  text: string;
  /** The words of the text in the syntax of a tsvector. */
  words: string;
};

/** A word and its position: left, top, width and height in ten-thousandths of the page. */
export type WordBox = [word: string, left: number, top: number, width: number, height: number];

export type ExtractedPage = PageText & {
  /** From 1. */
  page: number;
  /** Has something to see, but (almost) no text. */
  isPicture: boolean;
};

export type ExtractedText = {
  pages: ExtractedPage[];
  /** Of the whole document, even if only some pages were read. */
  pageCount: number;
  /** ISO 639-3; null if there is too little text to tell. */
  language: string | null;
  /** Null at the end of the document. */
  nextPage: number | null;
  cpuMs: number;
};

/** The text of a page with what OCR has found in its picture, and the boxes of what OCR has added. */
export type RecognisedPicture = PageText & { language: string | null; boxes: WordBox[] };

/** Four bytes for each pixel: red, green, blue and alpha. */
export type Pixels = { width: number; height: number; rgba: Uint8Array };

export type Answer =
  | { outcome: 'text'; result: ExtractedText }
  | { outcome: 'picture'; result: RecognisedPicture }
  /** Null if this format has no pages to draw. */
  | { outcome: 'thumbnail'; result: Pixels | null }
  | { outcome: 'protected' }
  /** The document is damaged, or its first bytes do not match the rest. */
  | {
      outcome: 'unreadable';
      /** For users. */
      reason: string;
      /** The message of the library, for the log. */
      detail?: string;
    };

/** Beyond these limits a document is read only in part. */
export const extractionLimits = {
  pages: 5_000,
  charactersPerPage: 100_000,
  characters: 5_000_000,
  /** Processor time after which an answer takes no further page. */
  answerMs: 5_000,
  /** Processor time after which no further page of the document is read. */
  readingMs: 20_000,
};
