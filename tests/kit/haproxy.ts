import { existsSync } from 'node:fs';
import type { Part } from './debian-package.ts';

/** Debian installs it outside the PATH of ordinary users. */
export const haproxyProgram = '/usr/sbin/haproxy';

export const haproxy: Part = {
  name: 'HAProxy',
  package: 'haproxy',
  isInstalled: () => existsSync(haproxyProgram),
};
