import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DocumentDetails } from '@customer-database/contract/documents';
import { watchMemory } from '../memory.ts';
import { startServer } from '../processes.ts';
import { progress } from '../progress.ts';
import { makeBrokenFiles, makeHostileFiles } from './bad-files.ts';
import { account, type Client, signIn } from './client.ts';
import { type CorpusFile, kinds, makeGoodFiles, makeScans } from './good-files.ts';
import { type BadResult, type Pace, type Recall, writeFigures } from './report.ts';

async function untilRead(client: Client): Promise<void> {
  while ((await client.waiting()) > 0) await delay(200);
}

/** Uploads the files and waits until they are read. */
async function measurePace(client: Client, name: string, files: CorpusFile[]): Promise<Pace> {
  progress(`${files.length} × ${name}`);
  const start = Date.now();
  for (const file of files) {
    const { status, body } = await client.upload(file);
    if (status !== 201) throw new Error(`${file.name} was refused: ${JSON.stringify(body)}`);
  }
  await untilRead(client);
  return { name, documents: files.length, seconds: (Date.now() - start) / 1000 };
}

/** Looks for each planted word. */
async function measureRecall(client: Client, files: CorpusFile[]): Promise<Recall[]> {
  const recalls = new Map<string, Recall>();
  for (const { name, kind, group, planted } of files) {
    const key = `${group} ${kind}`;
    const recall = recalls.get(key) ?? { group, kind, planted: 0, found: 0, missed: [] };
    recalls.set(key, recall);
    for (const word of planted) {
      const hits = await client.search(word);
      recall.planted += 1;
      if (hits.some(({ document }) => document.filename === name)) recall.found += 1;
      else recall.missed.push(`${word} (${name})`);
    }
  }
  return [...recalls.values()];
}

function outcomeOf({ state, reason, page_count }: DocumentDetails['text']): string {
  if (state === 'failed') return `not read: ${reason}`;
  return state === 'ready' ? `read, ${page_count?.toLocaleString('en')} pages` : `no text: ${state}`;
}

/** One after the other, to know what each costs. */
async function readBadFiles(
  client: Client,
  files: ReturnType<typeof makeBrokenFiles>,
  pid: number,
): Promise<BadResult[]> {
  const results: BadResult[] = [];
  for (const file of files) {
    const memory = watchMemory(pid);
    const start = Date.now();
    const { status, body } = await client.upload(file);
    if (status === 201) await untilRead(client);
    const seconds = (Date.now() - start) / 1000;
    memory.stop();
    const outcome =
      status === 201 ? outcomeOf(await client.textOf(body.document.id)) : `refused with ${status}`;
    progress(`${file.name} (${file.what}): ${outcome}`);
    results.push({ what: file.what, kind: file.kind, outcome, seconds, ...memory.peaks });
  }
  return results;
}

/** Uploads files with known words to a server and looks for each of them. Fails if a word is not found. */
export async function findPlantedWords(folder: string): Promise<void> {
  progress('making the files');
  const good = makeGoodFiles(join(folder, 'files'));
  const scans = await makeScans();
  progress('starting the server');
  const server = await startServer(folder, { ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password });
  try {
    const client = await signIn(server.url);
    const pid = server.pid();
    const memory = watchMemory(pid);
    const paces: Pace[] = [];
    for (const kind of kinds) {
      const files = good.filter((file) => file.kind === kind);
      paces.push(await measurePace(client, `${kind.toUpperCase()} of five pages`, files));
    }
    paces.push(await measurePace(client, 'scans of one page', scans));
    memory.stop();
    progress('looking for every word');
    const recalls = await measureRecall(client, [...good, ...scans]);
    const broken = await readBadFiles(client, makeBrokenFiles(), pid);
    const hostile = await readBadFiles(client, makeHostileFiles(), pid);
    if (server.hasExited()) throw new Error('The server ended');
    await writeFigures({ recalls, paces, broken, hostile, peaks: memory.peaks });
    progress('written to docs/SEARCH.md');
    const missed = recalls.filter(({ group }) => group !== 'Scans').flatMap((recall) => recall.missed);
    if (missed.length > 0) throw new Error(`Not found: ${missed.join(', ')}`);
  } finally {
    await server.terminate();
  }
}
