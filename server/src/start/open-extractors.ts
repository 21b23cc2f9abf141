import { createExtractor } from '@customer-database/extractor/extractor';
import { startSandbox } from '@customer-database/extractor/process';
import type { Config } from '../core/config.ts';
import type { Deps } from '../core/deps.ts';

const megabyte = 1024 * 1024;

const maxResidentBytes = 768 * megabyte;
// A turn is a text and a thumbnail: no document delays those of other users by more than a minute of processor time.
export const textLimits = { cpuMs: 20_000, timeoutMs: 60_000, maxResidentBytes };
// OCR of a dense page of small print takes long, several times as long while the machine is busy.
export const pictureLimits = { cpuMs: 60_000, timeoutMs: 240_000, maxResidentBytes };

/** Each starts its process when there is something to read. A shutdown does not wait for them. */
export function openExtractors({ ocr }: Config, stopping: AbortSignal): Deps['extractors'] {
  const extractors = {
    text: createExtractor(textLimits),
    pictures: createExtractor(pictureLimits, () => startSandbox({ languages: ocr.languages })),
  };
  stopping.addEventListener('abort', () => {
    void extractors.text.close();
    void extractors.pictures.close();
  });
  return extractors;
}
