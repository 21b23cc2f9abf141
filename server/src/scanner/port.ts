export type Verdict = { isClean: true } | { isClean: false; found: string };

/** Scans a file for malware before it is stored. */
export type Scanner = {
  /** Throws ScannerUnavailableError without a clear verdict on every byte. */
  scan(bytes: Buffer): Promise<Verdict>;
  /** Throws ScannerUnavailableError if the scanner does not answer. */
  checkHealth(): Promise<void>;
};

/** The scanner gave no verdict on the file. */
export class ScannerUnavailableError extends Error {
  override name = 'ScannerUnavailableError';
}
