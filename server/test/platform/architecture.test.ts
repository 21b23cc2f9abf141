import { readFileSync } from 'node:fs';
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

function moduleOf(imported: string): string | undefined {
  const [folder, module] = relative(source, imported).split(sep);
  return folder === 'modules' ? module : undefined;
}

/** All imports between nodes, those of types included. */
async function importedEdges(nodeOf: NodeOf): Promise<string[]> {
  const edges = new Set<string>();
  for await (const name of glob('**/*.ts', { cwd: source })) {
    const file = resolve(source, name);
    const node = nodeOf(file);
    const code = await readFile(file, 'utf8');
    for (const [, specifier = ''] of code.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const target = nodeOf(specifier.startsWith('.') ? resolve(dirname(file), specifier) : specifier);
      if (node && target && target !== node) edges.add(`${node} --> ${target}`);
    }
  }
  return [...edges].sort();
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
