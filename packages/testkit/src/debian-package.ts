import { installCommand } from '../../../scripts/debian.js';

/** A Debian package that tests need. */
export type Part = {
  /** Its common name. */
  name: string;
  package: string;
  isInstalled(): boolean;
};

/** Empty when installed, otherwise a text that says what to do. */
export function whyMissing({ name, package: wanted, isInstalled }: Part): string {
  return isInstalled() ? '' : `${name} is missing. As root on Debian or Ubuntu: ${installCommand([wanted])}`;
}
