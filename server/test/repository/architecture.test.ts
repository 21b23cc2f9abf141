import { existsSync, readFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const source = resolve(repository, 'server/src');

type NodeOf = (imported: string) => string | undefined;

/** The node of a file, or of one of our packages. */
function partOf(imported: string): string | undefined {
  const [, ours] = /^@customer-database\/([^/]+)/.exec(imported) ?? [];
  if (ours) return ours;
  return imported.startsWith(source) ? relative(source, imported).split(sep)[0] : undefined;
}

/** A folder of `accounts`; its own files are the base of all folders, and what other modules see. */
function accountsFolderOf(imported: string): string | undefined {
  const [folder, module, part, file] = relative(source, imported).split(sep);
  return folder === 'modules' && module === 'accounts' && file ? part : undefined;
}

function moduleOf(imported: string): string | undefined {
  const [folder, module] = relative(source, imported).split(sep);
  return folder === 'modules' ? module : undefined;
}

/** Pairs of a file and what it imports, types included. */
async function importsOf(): Promise<[file: string, imported: string][]> {
  const pairs: [string, string][] = [];
  for await (const name of glob('**/*.ts', { cwd: source })) {
    const file = resolve(source, name);
    const code = await readFile(file, 'utf8');
    for (const [, specifier = ''] of code.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g))
      pairs.push([file, specifier.startsWith('.') ? resolve(dirname(file), specifier) : specifier]);
  }
  return pairs;
}

/** All imports between nodes. */
async function importedEdges(nodeOf: NodeOf): Promise<string[]> {
  const edges = (await importsOf()).map(([file, imported]) => [nodeOf(file), nodeOf(imported)] as const);
  return [
    ...new Set(edges.flatMap(([node, to]) => (node && to && node !== to ? `${node} --> ${to}` : []))),
  ].sort();
}

/** What files outside of `accounts` import of it. */
async function importsOfAccounts(): Promise<Set<string>> {
  const accounts = resolve(source, 'modules/accounts');
  const imported = new Set<string>();
  for (const [file, target] of await importsOf()) {
    if (!file.startsWith(accounts) && target.startsWith(accounts)) imported.add(relative(accounts, target));
  }
  return imported;
}

function drawnEdges(picture: number): string[] {
  const page = readFileSync(resolve(repository, 'docs/ARCHITECTURE.md'), 'utf8');
  const drawn = [...page.matchAll(/^```mermaid\n(.*?)^```/gms)][picture]?.[1] ?? '';
  return [...drawn.matchAll(/^ {2}([\w-]+) --> (.+)$/gm)]
    .flatMap(([, node, targets = '']) => targets.split(' & ').map((target) => `${node} --> ${target}`))
    .sort();
}

/** Repeatedly drops edges that leave a source or enter a sink; cycles remain. */
function cyclesIn(edges: string[][]): string[][] {
  const between = edges.filter(
    ([node, target]) => edges.some(([from]) => from === target) && edges.some(([, to]) => to === node),
  );
  return between.length === edges.length ? between : cyclesIn(between);
}

describe.each([
  { name: 'the parts of the server', nodeOf: partOf, picture: 0 },
  { name: 'the modules', nodeOf: moduleOf, picture: 1 },
])('imports between $name', ({ nodeOf, picture }) => {
  it('match the picture in ARCHITECTURE.md', async () => {
    expect(await importedEdges(nodeOf)).toEqual(drawnEdges(picture));
  });

  it('have no cycles', async () => {
    const edges = await importedEdges(nodeOf);
    expect(edges).not.toEqual([]);
    expect(cyclesIn(edges.map((edge) => edge.split(' --> ')))).toEqual([]);
  });
});

describe('the module accounts', () => {
  it('is used by others through its routes, jobs and commands only', async () => {
    expect([...(await importsOfAccounts())].sort()).toEqual(['commands.ts', 'jobs.ts', 'routes.ts']);
  });

  it('has no cycles between its folders', async () => {
    const edges = await importedEdges(accountsFolderOf);
    expect(edges).not.toEqual([]);
    expect(cyclesIn(edges.map((edge) => edge.split(' --> ')))).toEqual([]);
  });
});

it('SECURITY.md names test files that exist', () => {
  const page = readFileSync(resolve(repository, 'docs/SECURITY.md'), 'utf8');
  const named = [...page.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(50);
  const pathOf = (file: string) => resolve(repository, file.startsWith('tests/') ? '' : 'server/test', file);
  expect(named.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
});
