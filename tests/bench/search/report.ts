import { machine, tableOf } from '@customer-database/testkit/figures';
import type { Drive } from '../load.ts';
import type { Figures, Measured } from '../measure.ts';
import { comparedCells, comparedHeaders, milliseconds } from '../report.ts';
import type { Backlog } from './backlog.ts';

export type Everywhere = { name: string; figures: Figures };

function questionTable(measured: Measured[], everywhere: Everywhere[]): string {
  const rows = measured.map((one) => {
    const all = everywhere.find(({ name }) => name === one.name)?.figures;
    return [...comparedCells(one), milliseconds(all?.p50), milliseconds(all?.p99)];
  });
  return tableOf(['words inside of documents', ...comparedHeaders, 'everywhere p50', 'everywhere p99'], rows);
}

function backlogTable({ reads, uploads }: Backlog): string {
  const row = (name: string, { before, during }: { before: Drive; during: Drive }) => [
    name,
    ...[before, during].flatMap(({ p50, p99 }) => [milliseconds(p50), milliseconds(p99)]),
  ];
  return tableOf(
    ['while scans wait for OCR', 'p50 before', 'p99 before', 'p50 ms', 'p99 ms'],
    [row('reads, 50 a second', reads), row('uploads of 1 MB, 2 at once', uploads)],
  );
}

function backlogLines({ waiting, seconds, peaks }: Backlog): string {
  return (
    `${waiting.from.toLocaleString('en')} documents waited at the beginning, ${waiting.to.toLocaleString('en')} after ` +
    `${seconds.toFixed(0)} s with these uploads among them. Memory: server ${peaks.server.toFixed(0)} MB, ` +
    `reading ${peaks.extraction.toFixed(0)} MB at most.`
  );
}

export type SearchFigures = {
  measured: Measured[];
  everywhere: Everywhere[];
  /** Missing where it was not measured. */
  backlog: Backlog | undefined;
};

export function figuresText({ measured, everywhere, backlog }: SearchFigures, date: string): string {
  return [
    `${date}, ${machine()}.`,
    questionTable(measured, everywhere),
    ...(backlog ? [backlogTable(backlog), backlogLines(backlog)] : []),
  ].join('\n\n');
}
