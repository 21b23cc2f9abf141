import type { ImportSpeed } from './import.ts';
import type { Figures, Measured } from './measure.ts';
import type { ScreenTimes } from './screens.ts';
import type { Storm } from './storms.ts';

export const bounds = {
  /** Factor of the median time, from a hundredth of the data to all of it. */
  growth: 2,
  /** Megabytes during twenty concurrent uploads. */
  memory: 500,
  /** Factor of the reads' p99 under heavy load. */
  harm: 5,
  /** Share of the rows per second of a plain COPY. */
  importRatio: 0.6,
} as const;

export type Result = {
  measured: Measured[];
  before: Map<string, Figures>;
  storms: Storm[];
  /** With a hundredth of the data, and with all of it. */
  screens: { before: ScreenTimes; now: ScreenTimes };
  imported: ImportSpeed | undefined;
  scans: { name: string; tables: string[] }[];
};

export const growthOf = (result: Result, { name, server }: Measured) =>
  server.p50 / (result.before.get(name)?.p50 ?? Number.NaN);

export const screenGrowth = ({ screens }: Result) =>
  [...screens.now].map(([name, now]) => {
    const before = screens.before.get(name) ?? Number.NaN;
    return { name, before, now, growth: now / before };
  });

/** One line for each missed bound. */
export function missedBounds(result: Result): string[] {
  const { measured, storms, imported } = result;
  return [
    ...measured
      .filter(({ ratio, atLeast }) => ratio < atLeast)
      .map(
        ({ name, ratio, atLeast }) => `${name}: ${ratio.toFixed(2)} of the baseline, less than ${atLeast}`,
      ),
    ...measured
      .filter((one) => !one.mayGrow && growthOf(result, one) > bounds.growth)
      .map((one) => `${one.name}: takes ${growthOf(result, one).toFixed(1)} times as long with all the data`),
    ...screenGrowth(result)
      .filter(({ growth }) => growth > bounds.growth)
      .map(
        ({ name, growth }) => `screen ${name}: takes ${growth.toFixed(1)} times as long with all the data`,
      ),
    ...storms
      .filter(({ idleP99, stormP99 }) => stormP99 > bounds.harm * idleP99)
      .map(
        ({ name, idleP99, stormP99 }) =>
          `${name}: reads' p99 from ${idleP99.toFixed(1)} to ${stormP99.toFixed(1)} ms`,
      ),
    ...storms
      .filter(({ peakMemory }) => peakMemory >= bounds.memory)
      .map(({ name, peakMemory }) => `${name}: ${peakMemory.toFixed(0)} MB`),
    ...(imported && imported.ratio < bounds.importRatio
      ? [`import: ${imported.ratio.toFixed(2)} of a plain COPY, less than ${bounds.importRatio}`]
      : []),
    ...scannedTables(result),
  ];
}

export const scannedTables = ({ scans }: Result) =>
  scans.map(({ name, tables }) => `${name}: reads all of ${tables.join(', ')}`);
