import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createExtractor, type Extractor } from '@customer-database/extractor/extractor';
import { startSandbox } from '@customer-database/extractor/process';
import { machine, replaceFigures, today } from '@customer-database/testkit/figures';
import { progress } from '../progress.ts';
import { makePdfs, programs } from './producers.ts';
import { needPrograms } from './programs.ts';
import { type Compared, recallOf, tableOfCompared } from './recall.ts';

const limits = { cpuMs: 60_000, timeoutMs: 240_000, maxResidentBytes: 768 * 1024 * 1024 };

/** With OCR where a page needs it. */
async function ours(extractor: Extractor, bytes: Buffer): Promise<string> {
  const answer = await extractor.ask(() => ({ kind: 'text', bytes }));
  if (answer.outcome !== 'text') return '';
  const texts: string[] = [];
  for (const { page, text, isPicture } of answer.result.pages) {
    const read = isPicture ? await extractor.ask(() => ({ kind: 'picture', bytes, page })) : undefined;
    texts.push(read?.outcome === 'picture' ? read.result.text : text);
  }
  return texts.join('\n');
}

const theirs = (path: string) => spawnSync('pdftotext', [path, '-']).stdout.toString();

/** PDFs of different programs, read by the product and by pdftotext. */
export async function comparePdfs(folder: string): Promise<void> {
  needPrograms(programs);
  progress('making the PDFs');
  const made = makePdfs(folder);
  progress('reading the PDFs');
  const extractor = createExtractor(limits, () => startSandbox({ languages: ['eng'] }));
  const compared: Compared[] = [];
  for (const { group, path, words } of made) {
    const text = await ours(extractor, readFileSync(path));
    compared.push({ group, ours: recallOf(words, text), theirs: recallOf(words, theirs(path)) });
  }
  await extractor.close();
  const table = tableOfCompared('PDFs made by', 'pdftotext', compared);
  await replaceFigures('SEARCH.md', [`${today()}, ${machine()}.`, table].join('\n\n'), 'pdfs');
}
