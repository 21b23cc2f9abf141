import { machine, replaceFigures, tableOf, today } from '@customer-database/testkit/figures';
import { growthOf, type Result, screenGrowth } from './bounds.ts';
import type { Measured } from './measure.ts';

export const milliseconds = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? '' : value < 10 ? value.toFixed(2) : value.toFixed(1);
const rate = (value: number) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));

export const comparedHeaders = ['p50 ms', 'p99 ms', 'baseline p50', 'baseline p99', 'ratio'];

export const comparedCells = ({ name, server, baseline, ratio }: Measured) => [
  name,
  ...[server.p50, server.p99, baseline.p50, baseline.p99].map(milliseconds),
  ratio.toFixed(2),
];

const caseHeaders = [
  ...['case', 'req/s', 'p50 ms', 'p99 ms', 'baseline req/s', 'baseline p50', 'baseline p99'],
  ...['ratio', 'p50 with 1 %', 'growth', 'RSS MB'],
];

export function caseTable(result: Result): string {
  return tableOf(
    caseHeaders,
    result.measured.map((one) => [
      one.name,
      rate(one.server.perSecond),
      milliseconds(one.server.p50),
      milliseconds(one.server.p99),
      rate(one.baseline.perSecond),
      milliseconds(one.baseline.p50),
      milliseconds(one.baseline.p99),
      one.ratio.toFixed(2),
      milliseconds(result.before.get(one.name)?.p50),
      growthOf(result, one).toFixed(2),
      one.memory.toFixed(0),
    ]),
  );
}

/** Empty where no browser was started. */
export function screenTable(result: Result): string {
  if (result.screens.now.size === 0) return '';
  return tableOf(
    ['screen, until it is there to see', 'ms', 'ms with 1 %', 'growth'],
    screenGrowth(result).map(({ name, before, now, growth }) => [
      name,
      now.toFixed(0),
      before.toFixed(0),
      growth.toFixed(2),
    ]),
  );
}

export function otherFigures({ storms, imported }: Result): string[] {
  return [
    ...storms.map(
      ({ name, idleP99, stormP99, peakMemory, heavyPerSecond }) =>
        `${name} (${rate(heavyPerSecond)}/s): p99 of others' reads ${milliseconds(stormP99)} ms ` +
        `(${milliseconds(idleP99)} ms before, ${(stormP99 / idleP99).toFixed(1)} times), ` +
        `at most ${peakMemory.toFixed(0)} MB`,
    ),
    ...(imported
      ? [
          `import of ${imported.rows.toLocaleString('en')} customers: ${imported.seconds.toFixed(1)} s, ` +
            `${Math.round(imported.rowsPerSecond).toLocaleString('en')} rows a second, ${imported.ratio.toFixed(2)} of a plain COPY`,
        ]
      : []),
  ];
}

/** Writes the figures of this run into the docs. */
export async function writeDocs(result: Result): Promise<void> {
  const figures = [
    `${today()}, ${machine()}.`,
    caseTable(result),
    screenTable(result),
    otherFigures(result)
      .map((line) => `- ${line}`)
      .join('\n'),
  ].join('\n\n');
  await replaceFigures('PERFORMANCE.md', figures);
}
