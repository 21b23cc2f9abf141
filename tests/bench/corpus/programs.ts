import { spawnSync } from 'node:child_process';

/** Throws a text that says which Debian packages to install. */
export function needPrograms(programs: [name: string, packages: string][]): void {
  const missing = programs.filter(([name]) => spawnSync(name, ['--version']).error);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(', ');
  const packages = missing.map(([, packages]) => packages).join(' ');
  throw new Error(`${names} missing. On Debian: apt-get install ${packages}`);
}
