import { machine, tableOf } from '@customer-database/testkit/figures';
import type { BackupStep } from '../backups.ts';
import type { Measured } from '../measure.ts';
import { comparedCells, comparedHeaders } from '../report.ts';
import type { Export } from './exports.ts';
import type { Sealing } from './sealing.ts';

export type ActivityFigures = {
  rows: number;
  measured: Measured[];
  exports: Export[];
  sealing: Sealing;
  verification: BackupStep;
};

const activityTable = (measured: Measured[], rows: number) =>
  tableOf([`of ${rows.toLocaleString('en')} rows`, ...comparedHeaders], measured.map(comparedCells));

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

export function figuresText(figures: ActivityFigures, date: string): string {
  const { table, indexes } = figures.sealing.megabytes;
  return [
    `${date}, ${machine()}.`,
    activityTable(figures.measured, figures.rows),
    wholeTable(figures),
    `The table takes ${table.toFixed(0)} MB, its indexes ${indexes.toFixed(0)} MB.`,
  ].join('\n\n');
}
