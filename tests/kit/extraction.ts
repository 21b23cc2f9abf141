import { createExtractor } from '@customer-database/extractor/extractor';
import { readWholeText } from '@customer-database/extractor/whole-text';
import { afterFile } from './cleanup.ts';

const megabyte = 1024 * 1024;

/** Reads texts in the real process, with the limits of the server. */
export function openReader() {
  const limits = { cpuMs: 20_000, timeoutMs: 120_000, maxResidentBytes: 768 * megabyte };
  const extractor = createExtractor(limits);
  afterFile(() => extractor.close());
  return {
    /** The pages as one text. Fails if the document is not read. */
    async textOf(bytes: Buffer): Promise<string> {
      const answer = await readWholeText((request) => extractor.ask(() => request), bytes);
      if (answer.outcome !== 'text') throw new Error(`${answer.outcome}: ${JSON.stringify(answer)}`);
      return answer.result.pages.map(({ text }) => text).join('\n');
    },
    async outcomeOf(bytes: Buffer): Promise<string> {
      return (await extractor.ask(() => ({ kind: 'text', bytes }))).outcome;
    },
  };
}
