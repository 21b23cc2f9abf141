import { existsSync } from 'node:fs';
import type { Part } from './debian-package.ts';

/** Debian has it outside of the path of people who are not root. */
export const haproxyProgram = '/usr/sbin/haproxy';

export const haproxy: Part = {
  name: 'HAProxy',
  package: 'haproxy',
  isInstalled: () => existsSync(haproxyProgram),
};
