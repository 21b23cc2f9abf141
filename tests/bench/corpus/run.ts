import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { comparePdfs } from './compare-pdfs.ts';
import { compareScans } from './compare-scans.ts';
import { findPlantedWords } from './find-words.ts';

// OCR of the scans takes half an hour.
const parts: Record<string, (folder: string) => Promise<void>> = {
  search: findPlantedWords,
  pdfs: comparePdfs,
  scans: compareScans,
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
if (only !== undefined && !parts[only]) throw new Error(`--only ${Object.keys(parts).join('|')}`);

const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
try {
  for (const [name, run] of Object.entries(parts)) {
    if (only === undefined || only === name) await run(join(folder, name));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
