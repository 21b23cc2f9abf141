import { machine, replaceFigures, tableOf } from '@customer-database/testkit/figures';
import type { BackupStep } from '../backups.ts';
import type { Measured } from '../measure.ts';
import { milliseconds } from '../report.ts';
import type { Export } from './exports.ts';
import type { Beside } from './sealing.ts';

export type ActivityFigures = {
  rows: number;
  measured: Measured[];
  exports: Export[];
  sealing: { seconds: number; megabytes: Record<'table' | 'indexes' | 'seals', number> };
  verification: BackupStep;
  signing: number;
  beside: Beside;
};

function activityTable(measured: Measured[], rows: number): string {
  const headers = [
    `of ${rows.toLocaleString('en')} rows`,
    'p50 ms',
    'p99 ms',
    'baseline p50',
    'baseline p99',
    'ratio',
  ];
  return tableOf(
    headers,
    measured.map(({ name, server, baseline, ratio }) => [
      name,
      ...[server, baseline].flatMap(({ p50, p99 }) => [milliseconds(p50), milliseconds(p99)]),
      ratio.toFixed(2),
    ]),
  );
}

function wholeTable({ exports, sealing, verification }: ActivityFigures): string {
  const megabytes = (value: number | undefined) => (value === undefined ? '' : value.toFixed(0));
  const row = (name: string, seconds: number, written?: number, memory?: number) => [
    name,
    seconds.toFixed(1),
    megabytes(written),
    megabytes(memory),
  ];
  return tableOf(
    ['the whole log', 'seconds', 'MB written', 'RSS MB at most'],
    [
      ...exports.map((one) => row(one.name, one.seconds, one.megabytes, one.memory)),
      row('sealing', sealing.seconds, sealing.megabytes.seals),
      row('verify-activity', verification.seconds, undefined, verification.memory),
    ],
  );
}

function besideTable({ alone, sealing }: Beside): string {
  const row = (name: string, { perSecond, p50, p99 }: Beside['alone']) => [
    name,
    Math.round(perSecond).toLocaleString('en'),
    milliseconds(p50),
    milliseconds(p99),
  ];
  return tableOf(
    ['link issue, which writes a row', 'req/s', 'p50 ms', 'p99 ms'],
    [row('alone', alone), row('while its rows are sealed every second', sealing)],
  );
}

export function figuresText(figures: ActivityFigures, date: string): string {
  const { table, indexes } = figures.sealing.megabytes;
  return [
    `${date}, ${machine()}.`,
    activityTable(figures.measured, figures.rows),
    wholeTable(figures),
    besideTable(figures.beside),
    `Signing a row takes ${figures.signing.toFixed(0)} µs of the request that writes it. The table takes ` +
      `${table.toFixed(0)} MB, its indexes ${indexes.toFixed(0)} MB.`,
  ].join('\n\n');
}

export const writeFigures = (text: string) => replaceFigures('PERFORMANCE.md', text, 'activity');
