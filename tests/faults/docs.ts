import { writeFile } from 'node:fs/promises';
import { docs, machine, replaceFigures } from '@customer-database/testkit/figures';
import { asJson, faultTable, type ScenarioResult } from './report.ts';

/** Writes the table of a whole run into the docs. */
export async function writeDocs(results: ScenarioResult[], seed: string, date: string): Promise<void> {
  await writeFile(docs('reliability.json'), asJson(results, seed, date));
  const minutes = Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const origin = `${date}, ${machine()}, seed ${seed}, ${minutes} minutes. Also as [JSON](reliability.json).`;
  await replaceFigures('RELIABILITY.md', `${origin}\n\n${faultTable(results)}`);
}
