import { existsSync } from 'node:fs';
import { whyMissing } from './debian-package.ts';

/** Debian has it outside of the path of people who are not root. */
export const haproxy = '/usr/sbin/haproxy';

/** Empty when it is there, else the text that says what to do. */
export function whyHaproxyIsMissing(): string {
  return whyMissing({ name: 'HAProxy', package: 'haproxy', isInstalled: () => existsSync(haproxy) });
}
