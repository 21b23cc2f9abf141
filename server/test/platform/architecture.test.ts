import { readFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const source = resolve(repository, 'server/src');

const coreFiles = new Set([
  'config.ts',
  'settings.ts',
  'setting-kinds.ts',
  'deps.ts',
  'context.ts',
  'clock.ts',
  'log.ts',
]);

function nodeOf(file: string): string {
  const [first = '', ...rest] = relative(source, file).split(sep);
  if (rest.length > 0) return first;
  return coreFiles.has(first) ? 'core' : 'start';
}

/** What a file imports to run, not for its types alone. */
function runtimeImports(code: string): string[] {
  const statements = code.matchAll(/^import\s+(?!type\b)([^;]*?)\bfrom\s+'([^']+)'|\bimport\('([^']+)'\)/gm);
  return [...statements].flatMap(([, names = '', from, lazily]) => {
    const listed = /^\{(.*)\}\s*$/s
      .exec(names)?.[1]
      ?.split(',')
      .flatMap((name) => name.trim() || []);
    const onlyTypes =
      listed !== undefined && listed.length > 0 && listed.every((name) => name.startsWith('type '));
    return onlyTypes ? [] : [from ?? lazily ?? ''];
  });
}

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('@customer-database/contract/')) return 'contract';
  return specifier.startsWith('.') ? nodeOf(resolve(dirname(file), specifier)) : undefined;
}

async function importedEdges(): Promise<string[]> {
  const edges = new Set<string>();
  for await (const name of glob('**/*.ts', { cwd: source })) {
    const file = resolve(source, name);
    for (const specifier of runtimeImports(await readFile(file, 'utf8'))) {
      const target = targetOf(file, specifier);
      if (target && target !== nodeOf(file)) edges.add(`${nodeOf(file)} --> ${target}`);
    }
  }
  return [...edges].sort();
}

function drawnEdges(): string[] {
  const page = readFileSync(resolve(repository, 'docs/ARCHITECTURE.md'), 'utf8');
  return [...page.matchAll(/^ {2}(\w+ --> \w+)$/gm)].map(([, edge]) => edge ?? '').sort();
}

it('imports run as the picture in ARCHITECTURE.md shows', async () => {
  expect(await importedEdges()).toEqual(drawnEdges());
});

it('imports run one way', async () => {
  const edges = (await importedEdges()).map((edge) => edge.split(' --> '));
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const [node, target] of edges) {
      if (node === from && target !== undefined && !seen.has(target)) {
        seen.add(target);
        reach(target, seen);
      }
    }
    return seen;
  };
  for (const [node = ''] of edges)
    expect(reach(node), `${node} must not come back to itself`).not.toContain(node);
});
