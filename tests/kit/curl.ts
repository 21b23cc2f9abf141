import { spawnSync } from 'node:child_process';
import type { Part } from './debian-package.ts';

export const curl: Part = {
  name: 'curl',
  package: 'curl',
  isInstalled: () => spawnSync('curl', ['--version']).status === 0,
};
