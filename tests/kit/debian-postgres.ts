import { existsSync, readdirSync } from 'node:fs';
import type { Part } from './debian-package.ts';

const versions = '/usr/lib/postgresql';

/** The program folder of the newest version; empty when none is installed. */
export function findPostgres(): string {
  const numbers = existsSync(versions) ? readdirSync(versions).map(Number) : [];
  const folders = numbers.toSorted((one, other) => other - one).map((number) => `${versions}/${number}/bin`);
  return (
    folders.find((folder) => existsSync(`${folder}/pg_basebackup`) && existsSync(`${folder}/postgres`)) ?? ''
  );
}

export const postgres: Part = {
  name: 'PostgreSQL with pg_basebackup',
  package: 'postgresql',
  isInstalled: () => findPostgres() !== '',
};
