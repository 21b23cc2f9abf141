import { createExtractor } from '@customer-database/extractor/extractor';
import type { Deps } from '../core/deps.ts';

const megabyte = 1024 * 1024;

/** Their processes start when there is something to read. A shutdown does not wait for them. */
export function openExtractors(stopping: AbortSignal): Deps['extractors'] {
  const extractors = {
    text: createExtractor({ timeoutMs: 60_000, maxResidentBytes: 768 * megabyte }),
    pictures: createExtractor({ timeoutMs: 120_000, maxResidentBytes: 768 * megabyte }),
  };
  stopping.addEventListener('abort', () => {
    void extractors.text.close();
    void extractors.pictures.close();
  });
  return extractors;
}
