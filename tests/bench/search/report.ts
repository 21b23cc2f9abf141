import { machine, tableOf } from '@customer-database/testkit/figures';
import type { Drive } from '../load.ts';
import type { Figures, Measured } from '../measure.ts';
import { comparedCells, comparedHeaders, milliseconds } from '../report.ts';
import type { Backlog } from './backlog.ts';

export type Answers = {
  name: string;
  inside: Figures;
  everywhere: Figures;
  /** Missing where the baseline was not asked. */
  compared: Measured | undefined;
};

const times = ({ p50, p99 }: Figures) => [milliseconds(p50), milliseconds(p99)];

function questionTable(answers: Answers[]): string {
  const isCompared = answers.some(({ compared }) => compared);
  const rows = answers.map(({ name, inside, everywhere, compared }) => [
    ...(compared ? comparedCells(compared) : [name, ...times(inside)]),
    ...times(everywhere),
  ]);
  const headers = isCompared ? comparedHeaders : ['p50 ms', 'p99 ms'];
  return tableOf(['words inside of documents', ...headers, 'everywhere p50', 'everywhere p99'], rows);
}

function backlogTable({ reads, uploads }: Backlog): string {
  const row = (name: string, { before, during }: { before: Drive; during: Drive }) => [
    name,
    ...[before, during].flatMap(times),
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
  answers: Answers[];
  /** Missing where it was not measured. */
  backlog: Backlog | undefined;
};

export function figuresText({ answers, backlog }: SearchFigures, date: string): string {
  return [
    `${date}, ${machine()}.`,
    questionTable(answers),
    ...(backlog ? [backlogTable(backlog), backlogLines(backlog)] : []),
  ].join('\n\n');
}
