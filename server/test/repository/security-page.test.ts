import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

type Line = { heading: string; what: string; tests: string[]; faults: string[] };

const spans = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

/** The lines of the tables, each with the tests that it names. */
function linesOf(page: string): Line[] {
  const [, holds = ''] = page.split('\n## What holds\n');
  const [tables = ''] = holds.split('\n## ');
  return tables.split('\n### ').flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return lines
      .filter((line) => line.startsWith('|') && !/^\| what holds|^\|-/.test(line))
      .map((line) => {
        const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
        expect(cells, line).toHaveLength(5);
        const named = spans(cells[3] ?? '');
        const faults = named.filter((name) => name.startsWith('npm run test:faults'));
        const tests = named.filter((name) => !faults.includes(name));
        return { heading, what: cells[1] ?? '', tests, faults };
      });
  });
}

/** The titles of groups and tests in a file, also those after `each(…)`. */
function titlesOf(source: string): string[] {
  const made = /(?:\b(?:describe|it|test)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1).)*)\1\s*,/gs;
  return [...source.matchAll(made)].map(([, , title = '']) => title.replace(/\\(.)/g, '$1'));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The title itself, or a title with its placeholders filled with values from the file. */
function matchesTitle(name: string, title: string, source: string): boolean {
  if (name === title) return true;
  const [first = '', ...rest] = title.split(/%[sjdio]|\$[\w.]+/);
  if (rest.length === 0) return false;
  const filled = new RegExp(`^${[first, ...rest].map(escaped).join('(.+?)')}$`).exec(name);
  return filled?.slice(1).every((value) => isPlaceholder(value) || source.includes(value)) ?? false;
}

const isPlaceholder = (value: string) => /^(%[sjdio]|\$[\w.]+)$/.test(value);

async function problemWith(named: string): Promise<string | undefined> {
  const [file = '', ...names] = named.split(' › ');
  const path = /^(tests|web)\//.test(file) ? file : `server/test/${file}`;
  const source = await read(path).catch(() => undefined);
  if (source === undefined) return `${named}: there is no ${path}`;
  const titles = titlesOf(source);
  let after = 0;
  // In order: a group comes before its tests.
  for (const name of names) {
    const at = titles.findIndex((title, index) => index >= after && matchesTitle(name, title, source));
    if (at < 0) return `${named}: ${path} has no '${name}'`;
    after = at + 1;
  }
  return names.length === 0 ? `${named}: names no test` : undefined;
}

const minimumLines = {
  Passwords: 12,
  Throttling: 15,
  'Account enumeration': 3,
  Sessions: 11,
  'Sensitive changes': 5,
  MFA: 11,
  Passkeys: 6,
  'Company sign-in': 9,
  'API tokens': 6,
  Invitations: 6,
  Access: 7,
  Input: 12,
  Files: 13,
  Links: 8,
  'Activity log': 15,
  'Headers and errors': 9,
  Start: 7,
  Limits: 8,
  Durability: 10,
};

const lines = linesOf(await read('docs/SECURITY.md'));

describe('docs/SECURITY.md', () => {
  it.each(Object.entries(minimumLines))('has enough lines under %s', (heading, count) => {
    expect(lines.filter((line) => line.heading === heading).length).toBeGreaterThanOrEqual(count);
  });

  it('has no other headings, and a test on every line', () => {
    expect([...new Set(lines.map(({ heading }) => heading))]).toEqual(Object.keys(minimumLines));
    for (const { what, tests } of lines) expect(tests.length, what).toBeGreaterThan(0);
  });

  it('names tests that exist', async () => {
    const named = [...new Set(lines.flatMap(({ tests }) => tests))];
    expect(named.length).toBeGreaterThan(150);
    const missing = await Promise.all(named.map(problemWith));
    expect(missing.filter(Boolean)).toEqual([]);
  });

  it('names faults that exist', async () => {
    const files = await readdir(new URL('../../../tests/faults/scenarios/', import.meta.url));
    const sources = await Promise.all(files.map((file) => read(`tests/faults/scenarios/${file}`)));
    for (const command of lines.flatMap(({ faults }) => faults)) {
      const [, scenario] = /^npm run test:faults -- --only ([\w-]+)$/.exec(command) ?? [];
      expect(
        sources.some((source) => source.includes(`  name: '${scenario}',`)),
        command,
      ).toBe(true);
    }
  });
});

describe('The search for a test by its name', () => {
  const named = 'core/config.test.ts › settings › ';

  it('finds titles, with placeholders or filled with values', async () => {
    expect(await problemWith(`${named}all have defaults that are safe on one machine`)).toBeUndefined();
    expect(await problemWith(`${named}%s is accepted when it is valid`)).toBeUndefined();
    const filled = 'accounts/passwords.test.ts › which passwords are accepted › digits alone';
    expect(await problemWith(filled)).toBeUndefined();
  });

  it.each([
    ['a test that was renamed', `${named}all have defaults that are safe on two machines`],
    ['a value that is not tried', 'accounts/passwords.test.ts › which passwords are accepted › no letters'],
    [
      'a test of another group',
      'core/config.test.ts › settings together › all have defaults that are safe on one machine',
    ],
    ['a file that is gone', 'platform/nowhere.test.ts › settings › x'],
    ['no test', 'core/config.test.ts'],
  ])('misses %s', async (_, name) => {
    expect(await problemWith(name)).toContain(name);
  });
});
