import { existsSync } from 'node:fs';
import { isolationPrefix } from '@customer-database/extractor/isolation';
import { type Part, whyMissing } from './debian-package.ts';

/** Debian installs fonts with it, which differ from those of Word but suffice for tests. */
export const libreOffice: Part = {
  name: 'LibreOffice Writer',
  package: 'libreoffice-writer-nogui',
  isInstalled: () => existsSync('/usr/lib/libreoffice/program/libswlo.so'),
};

/** Whether this machine allows namespaces, as few containers do. */
export const canIsolate = () => isolationPrefix()[0] === 'unshare';

/** Empty if it does, otherwise a text that says what to do. */
export const whyNotIsolated = () =>
  canIsolate()
    ? ''
    : 'Namespaces are not allowed here: run the tests as root outside of a container, or allow unprivileged user namespaces.';

export const canConvert = () => canIsolate() && whyMissing(libreOffice) === '';
