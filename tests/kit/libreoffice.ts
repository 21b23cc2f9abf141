import { existsSync } from 'node:fs';
import type { Part } from './debian-package.ts';

/** Debian installs fonts with it, which differ from those of Word but suffice for tests. */
export const libreOffice: Part = {
  name: 'LibreOffice Writer',
  package: 'libreoffice-writer-nogui',
  isInstalled: () => existsSync('/usr/lib/libreoffice/program/libswlo.so'),
};
