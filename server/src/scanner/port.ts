export type Verdict = { isClean: true } | { isClean: false; found: string };

/** Looks for malware in a file before it is stored. */
export type Scanner = {
  /** Throws ScannerUnavailableError unless there is a clear verdict on every byte. */
  scan(bytes: Buffer): Promise<Verdict>;
  /** Throws ScannerUnavailableError unless the scanner answers right now. */
  checkHealth(): Promise<void>;
};

/** The scanner did not answer, or nothing that is a verdict: nobody knows whether the file is clean. */
export class ScannerUnavailableError extends Error {
  override name = 'ScannerUnavailableError';
}
