import { readFile, writeFile } from 'node:fs/promises';
import type { Result } from './bounds.ts';
import { pictureOf } from './picture.ts';
import { asJson, caseTable, machine, otherFigures, screenTable } from './report.ts';

export const docs = (path: string) => new URL(`../docs/${path}`, import.meta.url);

/** Between the marks of a page; the rest of it is written by people. */
export async function putFigures(name: string, figures: string): Promise<void> {
  const page = await readFile(docs(name), 'utf8');
  const marked = /(<!-- figures -->\n)[\s\S]*(<!-- end of figures -->)/;
  await writeFile(
    docs(name),
    page.replace(marked, (_all, begin, end) => `${begin}\n${figures}\n\n${end}`),
  );
}

/** The figures of this run, where readers look for them. */
export async function writeDocs(result: Result, date: string): Promise<void> {
  await writeFile(docs('performance.json'), asJson(result, date));
  await writeFile(docs('pictures/performance.svg'), pictureOf(result));
  const figures = [
    `${date}, ${machine()}. Also as [JSON](performance.json).`,
    '![Each case against the floor, and its growth](pictures/performance.svg)',
    caseTable(result),
    screenTable(result),
    otherFigures(result)
      .map((line) => `- ${line}`)
      .join('\n'),
  ].join('\n\n');
  await putFigures('PERFORMANCE.md', figures);
}
