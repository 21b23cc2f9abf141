import { writeFile } from 'node:fs/promises';
import { docs, putFigures } from '../bench/docs.ts';
import { machine } from '../bench/report.ts';
import { asJson, faultTable, type ScenarioResult } from './report.ts';

/** The table of a whole run, where readers look for it. */
export async function writeDocs(results: ScenarioResult[], seed: string, date: string): Promise<void> {
  await writeFile(docs('reliability.json'), asJson(results, seed, date));
  const minutes = Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const origin = `${date}, ${machine()}, seed ${seed}, ${minutes} minutes. Also as [JSON](reliability.json).`;
  await putFigures('RELIABILITY.md', `${origin}\n\n${faultTable(results)}`);
}
