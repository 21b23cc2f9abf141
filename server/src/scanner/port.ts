export type Verdict = { isClean: true } | { isClean: false; found: string };

/** Scans a file for malware before it is stored. */
export type Scanner = {
  /** Throws ScannerUnavailableError unless there is a clear verdict on every byte. */
  scan(bytes: Buffer): Promise<Verdict>;
  /** Throws ScannerUnavailableError unless the scanner answers right now. */
  checkHealth(): Promise<void>;
};

/** The scanner gave no verdict: the file may or may not be clean. */
export class ScannerUnavailableError extends Error {
  override name = 'ScannerUnavailableError';
}
