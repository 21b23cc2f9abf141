import { readFileSync } from 'node:fs';
import type { Part } from '@customer-database/testkit/debian-package';
import { describe, expect, it } from 'vitest';
import { requireParts } from '../harness/require-parts.ts';
import { chooseScenarios, scenarios } from '../scenarios.ts';

const partOf = (name: string, isInstalled: boolean): Part => ({
  name,
  package: name.toLowerCase(),
  isInstalled: () => isInstalled,
});
const namesOf = (options: Parameters<typeof chooseScenarios>[0]) =>
  chooseScenarios(options).map(({ name }) => name);
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

describe('A scenario that needs further Debian packages', () => {
  it('is left out of a short run, and runs with --only', () => {
    const own = scenarios.filter(({ ownParts }) => ownParts).map(({ name }) => name);
    expect(own).toEqual(['patroni', 'ceph']);
    const short = namesOf({ only: undefined, isShort: true });
    for (const name of own) {
      expect(short).not.toContain(name);
      expect(namesOf({ only: name, isShort: true })).toEqual([name]);
      expect(read('docs/OPERATIONS.md')).toContain(`npm run test:faults -- --only ${name}`);
    }
  });

  it('names in one command what is missing', () => {
    const parts = [partOf('Patroni', false), partOf('HAProxy', true), partOf('Etcd', false)];
    const command = 'apt-get update && apt-get install -y --no-install-recommends patroni etcd';
    expect(() => requireParts(...parts)).toThrow(
      `Patroni, Etcd are missing. As root on Debian or Ubuntu: ${command}`,
    );
    expect(() => requireParts(partOf('HAProxy', true))).not.toThrow();
  });
});
