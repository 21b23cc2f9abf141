import { machine, replaceFigures, tableOf, today } from '@customer-database/testkit/figures';
import type { Fault } from './harness/findings.ts';

export type ScenarioResult = {
  name: string;
  faults: Fault[];
  /** Why it could not run here. */
  leftOut?: string;
  /** Why it did not finish. */
  crash?: string;
  seconds: number;
};

const headers = [
  'what was broken',
  'times',
  'acknowledged, and compared afterwards',
  'lost',
  'back after',
  'seen',
];

const faultsOf = (results: ScenarioResult[]) => results.flatMap(({ faults }) => faults);

/** The median and the maximum, in seconds. */
function recoveryText(recoveries: number[]): string {
  if (recoveries.length === 0) return '–';
  const sorted = recoveries.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${median.toFixed(1)} s, at most ${sorted.at(-1)?.toFixed(1)} s`;
}

export function faultTable(results: ScenarioResult[]): string {
  const rows = faultsOf(results).map(({ what, times, checked, findings, recoveries, seen }) => [
    what,
    String(times),
    checked,
    findings.lost.length === 0 ? 'nothing' : String(findings.lost.length),
    recoveryText(recoveries),
    seen,
  ]);
  return tableOf(headers, rows, headers.length);
}

/** One line for each loss, broken promise or crash. */
export function failuresOf(results: ScenarioResult[]): string[] {
  return results.flatMap(({ name, faults, crash }) => [
    ...faults.flatMap(({ what, findings }) => [
      ...findings.lost.map((text) => `LOST, ${name}, ${what}: ${text}`),
      ...findings.broken.map((text) => `BROKEN, ${name}, ${what}: ${text}`),
    ]),
    ...(crash ? [`CAME TO NO END, ${name}: ${crash}`] : []),
  ]);
}

export function leftOutLines(results: ScenarioResult[]): string[] {
  return results.flatMap(({ name, leftOut }) => (leftOut ? [`LEFT OUT: ${name}. ${leftOut}`] : []));
}

export function outcomeLine(result: ScenarioResult): string {
  const { name, faults, leftOut, seconds } = result;
  if (leftOut) return `${name}: left out`;
  const failures = failuresOf([result]).length;
  const times = faults.reduce((sum, fault) => sum + fault.times, 0);
  return `${name}: broken ${times} times in ${seconds.toFixed(0)} s, ${failures === 0 ? 'all kept' : `${failures} failures`}`;
}

/** Writes the table of a whole run into the docs. */
export async function writeDocs(results: ScenarioResult[], seed: string): Promise<void> {
  const minutes = Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const origin = `${today()}, ${machine()}, seed ${seed}, ${minutes} minutes.`;
  await replaceFigures('RELIABILITY.md', `${origin}\n\n${faultTable(results)}`);
}
