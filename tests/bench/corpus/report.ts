import { machine, replaceFigures, tableOf, today } from '@customer-database/testkit/figures';
import type { Peaks } from '../memory.ts';
import { kinds } from './good-files.ts';

export type Recall = { group: string; kind: string; planted: number; found: number; missed: string[] };
export type BadResult = Peaks & { what: string; kind: string; outcome: string; seconds: number };
/** How quickly documents of a kind were read, uploads included. */
export type Pace = { name: string; documents: number; seconds: number };
export type Figures = {
  recalls: Recall[];
  paces: Pace[];
  broken: BadResult[];
  hostile: BadResult[];
  peaks: Peaks;
};

const isScan = ({ group }: Recall) => group === 'Scans';
const shareOf = ({ found, planted }: Recall) => `${found} of ${planted}`;

function recallTable(recalls: Recall[]): string {
  const written = recalls.filter((recall) => !isScan(recall));
  const languages = [...new Set(written.map(({ group }) => group))];
  const rows = languages.map((group) => [
    group,
    ...kinds.map((kind) => {
      const recall = written.find((one) => one.group === group && one.kind === kind);
      return recall ? shareOf(recall) : '';
    }),
  ]);
  return tableOf(['planted words found', ...kinds.map((kind) => kind.toUpperCase())], rows);
}

function brokenTable(broken: BadResult[]): string {
  const outcomes = [...new Set(broken.map(({ outcome }) => outcome.replace(/, [\d,]+ pages$/, '')))].sort();
  const rows = outcomes.map((outcome) => [
    outcome,
    ...kinds.map((kind) =>
      String(broken.filter((one) => one.kind === kind && one.outcome.startsWith(outcome)).length),
    ),
  ]);
  return tableOf(['broken files', ...kinds.map((kind) => kind.toUpperCase())], rows);
}

function hostileTable(hostile: BadResult[]): string {
  const rows = hostile.map(({ what, kind, outcome, seconds, extraction, server }) => [
    `${what} (${kind.toUpperCase()})`,
    outcome,
    seconds.toFixed(1),
    extraction ? extraction.toFixed(0) : '',
    server ? server.toFixed(0) : '',
  ]);
  return tableOf(['hostile file', 'what came of it', 'seconds', 'reading MB', 'server MB'], rows, 2);
}

const paceText = ({ name, documents, seconds }: Pace) =>
  `${name} ${Math.round((60 * documents) / seconds).toLocaleString('en')}`;

export async function writeFigures({ recalls, paces, broken, hostile, peaks }: Figures): Promise<void> {
  const scans = recalls.find(isScan);
  const figures = [
    `${today()}, ${machine()}.`,
    recallTable(recalls),
    scans
      ? `Scans: ${shareOf(scans)} words.${scans.missed.length > 0 ? ` Missed: ${scans.missed.join(', ')}.` : ''}`
      : '',
    `Read in a minute, from the upload on: ${paces.map(paceText).join(', ')}.`,
    brokenTable(broken),
    hostileTable(hostile),
    `Largest memory while the good files were read: server ${peaks.server.toFixed(0)} MB, reading ${peaks.extraction.toFixed(0)} MB.`,
  ];
  await replaceFigures('SEARCH.md', figures.join('\n\n'));
}
