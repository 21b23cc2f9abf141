import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

const docs = (path: string) => new URL(`../../docs/${path}`, import.meta.url);

/** Replaces what is between two markers of a page; the rest is written by hand. */
export async function replaceFigures(name: string, figures: string, marker = 'figures'): Promise<void> {
  const page = await readFile(docs(name), 'utf8');
  const betweenMarkers = new RegExp(`(<!-- ${marker} -->\\n)[\\s\\S]*(<!-- end of ${marker} -->)`);
  await writeFile(
    docs(name),
    page.replace(betweenMarkers, (_all, start, end) => `${start}\n${figures}\n\n${end}`),
  );
}

/** A Markdown table that also reads well on a terminal; the first `texts` columns are left-aligned. */
export function tableOf(headers: string[], rows: string[][], texts = 1): string {
  const widths = headers.map((_, column) =>
    Math.max(...[headers, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => (column < texts ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => (column < texts ? `${'-'.repeat(width + 2)}` : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(headers), rule, ...rows.map(line)].join('\n');
}

export const today = () => new Date().toISOString().slice(0, 10);

export function machine(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${first?.model ?? 'CPU'} (${process.arch}), ${gigabytes} GiB, Node ${process.versions.node}`;
}
