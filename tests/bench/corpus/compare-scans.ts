import { spawnSync } from 'node:child_process';
import { createExtractor, type Extractor } from '@customer-database/extractor/extractor';
import { missingPackages } from '@customer-database/extractor/ocr-data';
import { startSandbox } from '@customer-database/extractor/process';
import { machine, replaceFigures, today } from '@customer-database/testkit/figures';
import { progress } from '../progress.ts';
import { printedWords } from './printed-words.ts';
import { needPrograms } from './programs.ts';
import { type Compared, recallOf, tableOfCompared } from './recall.ts';
import { makeScansToCompare, type Scan } from './scans.ts';

const limits = { cpuMs: 60_000, timeoutMs: 240_000, maxResidentBytes: 768 * 1024 * 1024 };

async function ours(extractor: Extractor, bytes: Buffer): Promise<string> {
  const answer = await extractor.ask(() => ({ kind: 'picture', bytes, page: 1 }));
  return answer.outcome === 'picture' ? answer.result.text : '';
}

function theirs({ path, language, dotsPerInch }: Scan): string {
  const args = [path, '-', '-l', language, '--dpi', String(dotsPerInch)];
  return spawnSync('tesseract', args).stdout.toString();
}

async function compare(language: string, scans: Scan[]): Promise<Compared[]> {
  const extractor = createExtractor(limits, () => startSandbox({ languages: [language] }));
  const compared: Compared[] = [];
  for (const scan of scans) {
    const text = await ours(extractor, scan.pdf);
    compared.push({
      group: scan.effect,
      ours: recallOf(scan.words, text),
      theirs: recallOf(scan.words, theirs(scan)),
    });
  }
  await extractor.close();
  return compared;
}

/** Pages that are pictures, read by the product and by Tesseract of Debian. */
export async function compareScans(folder: string): Promise<void> {
  const languages = Object.keys(printedWords);
  const missing = missingPackages(languages);
  if (missing.length > 0) throw new Error(`OCR data is missing: npm install --no-save ${missing.join(' ')}`);
  needPrograms([
    ['convert', 'imagemagick'],
    ['tesseract', ['tesseract-ocr', ...languages.map((language) => `tesseract-ocr-${language}`)].join(' ')],
  ]);
  progress('making the scans');
  const scans = await makeScansToCompare(folder);
  const compared: Compared[] = [];
  for (const language of languages) {
    progress(`reading the scans in ${language}`);
    compared.push(
      ...(await compare(
        language,
        scans.filter((scan) => scan.language === language),
      )),
    );
  }
  const table = tableOfCompared('scans', 'Tesseract', compared);
  await replaceFigures('SEARCH.md', [`${today()}, ${machine()}.`, table].join('\n\n'), 'scans');
}
