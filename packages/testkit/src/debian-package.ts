import { installCommand } from '../../../scripts/debian.js';

/** Something that tests need and that Debian has. */
export type Part = {
  /** What people call it. */
  name: string;
  package: string;
  isInstalled(): boolean;
};

/** Empty when it is there, else the text that says what to do. */
export function whyMissing({ name, package: wanted, isInstalled }: Part): string {
  return isInstalled() ? '' : `${name} is missing. As root on Debian or Ubuntu: ${installCommand([wanted])}`;
}
