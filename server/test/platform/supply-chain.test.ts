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
  it('holds the fingerprint of every package, and no address: each machine asks the registry it is set to', () => {
    expect(installable.length).toBeGreaterThan(300);
    for (const [path, { integrity, resolved }] of installable) {
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
      expect(resolved, path).toBeUndefined();
    }
  });

  it('belongs to the package.json files, which name exact versions', () => {
    expect(findUnlocked(root, locked)).toBeUndefined();
    for (const { name, dependencies, devDependencies, optionalDependencies } of manifests) {
      const wanted: Record<string, string> = { ...dependencies, ...devDependencies, ...optionalDependencies };
      for (const [dependency, version] of Object.entries(wanted)) {
        const isOurs = dependency.startsWith('@customer-database/');
        if (!isOurs) expect(version, `${name}: ${dependency}`).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      }
    }
  });

  it('holds install scripts of no other packages than package.json allows by name', () => {
    const withScripts = installable
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => packageName(path));
    expect(withScripts.sort()).toEqual(Object.keys(manifests[0].allowScripts).sort());
    expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  });
});

describe('Licences', () => {
  const packages = lockedPackages(locked);

  it('are all on the list of those that may be used', () => {
    expect(packages.length).toBe(installable.length);
    expect(packages.filter((found) => !isAllowed(found))).toEqual([]);
  });

  it.each(['', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'UNLICENSED', 'SEE LICENSE IN LICENSE', 'toString'])(
    'of another kind are noticed: %j',
    (licence) => {
      expect(isAllowed({ name: 'a', version: '1.0.0', licence, isForDevelopment: false })).toBe(false);
    },
  );

  it('are listed in docs/LICENCES.md as they are now (npm run licences)', () => {
    expect(read('docs/LICENCES.md')).toBe(licencesPage(packages));
  });
});

describe('npm run sbom', () => {
  it('lists every package with its version and fingerprint, and nothing about this machine', () => {
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
    for (const [path, { version }] of installable) {
      const component = listed.get(`pkg:npm/${packageName(path)}@${version}`);
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
