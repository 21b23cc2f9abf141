import { readFile, writeFile } from 'node:fs/promises';
import type { Result } from './bounds.ts';
import { chartOf } from './chart.ts';
import { asJson, caseTable, machine, otherFigures, screenTable } from './report.ts';

export const docs = (path: string) => new URL(`../../docs/${path}`, import.meta.url);

/** Replaces what is between two markers of a page; the rest is written by hand. */
export async function replaceFigures(name: string, figures: string, marker = 'figures'): Promise<void> {
  const page = await readFile(docs(name), 'utf8');
  const betweenMarkers = new RegExp(`(<!-- ${marker} -->\\n)[\\s\\S]*(<!-- end of ${marker} -->)`);
  await writeFile(
    docs(name),
    page.replace(betweenMarkers, (_all, start, end) => `${start}\n${figures}\n\n${end}`),
  );
}

/** Writes the figures of this run into the docs. */
export async function writeDocs(result: Result, date: string): Promise<void> {
  await writeFile(docs('performance.json'), asJson(result, date));
  await writeFile(docs('pictures/performance.svg'), chartOf(result));
  const figures = [
    `${date}, ${machine()}. Also as [JSON](performance.json).`,
    '![Each case against the floor, and its growth](pictures/performance.svg)',
    caseTable(result),
    screenTable(result),
    otherFigures(result)
      .map((line) => `- ${line}`)
      .join('\n'),
  ].join('\n\n');
  await replaceFigures('PERFORMANCE.md', figures);
}
