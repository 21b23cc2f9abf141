import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAllowed, licencesPage, lockedPackages } from '../../../scripts/licences.js';
import { findUnlocked, packageName, readLock } from '../../../scripts/lockfile.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const locked = readLock(join(root, 'package-lock.json')) ?? {};
const installable = Object.entries(locked).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const workspaces: string[] = JSON.parse(read('package.json')).workspaces;
const manifests = ['', ...workspaces].map((folder) => JSON.parse(read(join(folder, 'package.json'))));

describe('package-lock.json', () => {
  it('contains the checksum of every package and no URL: each machine uses its own registry', () => {
    expect(installable.length).toBeGreaterThan(300);
    for (const [path, { integrity, resolved }] of installable) {
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
      expect(resolved, path).toBeUndefined();
    }
  });

  it('matches the package.json files, which name exact versions', () => {
    expect(findUnlocked(root, locked)).toBeUndefined();
    for (const { name, dependencies, devDependencies, optionalDependencies } of manifests) {
      const wanted: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies };
      for (const [dependency, version] of Object.entries(wanted)) {
        const isOurs = dependency.startsWith('@customer-database/');
        if (!isOurs) expect(version, `${name}: ${dependency}`).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      }
    }
  });

  it('runs no install scripts', () => {
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  });
});

describe('Licences', () => {
  const packages = lockedPackages(locked);

  it('are all on the list of allowed licences', () => {
    expect(packages.length).toBe(installable.length);
    expect(packages.filter((found) => !isAllowed(found))).toEqual([]);
  });

  it.each(['', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'UNLICENSED', 'SEE LICENSE IN LICENSE', 'toString'])(
    'of another kind are found: %j',
    (licence) => {
      expect(isAllowed({ name: 'a', version: '1.0.0', licence, isForDevelopment: false })).toBe(false);
    },
  );

  it('are listed up to date in docs/LICENCES.md (npm run licences)', () => {
    expect(read('docs/LICENCES.md')).toBe(licencesPage(packages));
  });
});

describe('npm run sbom', () => {
  it('lists every package with its version and checksum, and nothing about this machine', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/sbom.js', '-'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(status, stderr).toBe(0);
    const bom = JSON.parse(stdout);
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'customer-database' } },
    });
    const listed = new Map<string, { hashes?: unknown[] }>(
      bom.components.map((component: { purl: string }) => [decodeURIComponent(component.purl), component]),
    );
    for (const [path, { name = packageName(path), version }] of installable) {
      const component = listed.get(`pkg:npm/${name}@${version}`);
      expect(component?.hashes, path).toHaveLength(1);
    }
    for (const { dependencies = {} } of manifests) {
      for (const [name, version] of Object.entries(dependencies)) {
        if (!name.startsWith('@customer-database/'))
          expect([...listed.keys()]).toContain(`pkg:npm/${name}@${version}`);
      }
    }
    expect(stdout).not.toContain(root.slice(0, -1));
    expect(stdout).not.toMatch(/https?:\/\/(?!cyclonedx\.org\/schema)/);
  });
});
