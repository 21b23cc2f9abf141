import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where Node finds a package that is imported in the given folder. */
function findPackage(name: string, importedIn: string): string {
  const searched = createRequire(join(importedIn, 'package.json')).resolve.paths(name) ?? [];
  const found = searched.map((parent) => join(parent, name)).find((folder) => existsSync(folder));
  if (!found) throw new Error(`the package ${name} is not installed`);
  return found;
}

type Manifest = { dependencies?: Record<string, string> };

function addPackage(folder: string, folders: Set<string>): void {
  if (folders.has(folder)) return;
  // Packages of this repository are symlinks: Node needs both the link and its target.
  const target = realpathSync(folder);
  folders.add(folder).add(target);
  const { dependencies = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(dependencies)) addPackage(findPackage(name, target), folders);
}

/** The folders of a package, of some that it imports, and of all their dependencies. None contains other packages. */
export function foldersOf(folder: string, imported: string[]): string[] {
  const folders = new Set<string>();
  addPackage(folder, folders);
  for (const name of imported) addPackage(findPackage(name, folder), folders);
  return [...folders];
}
