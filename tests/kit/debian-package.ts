import { installCommand } from '../../scripts/debian.js';

/** A Debian package that tests need. */
export type Part = {
  /** Its common name. */
  name: string;
  package: string;
  isInstalled(): boolean;
};

/** Empty when all are installed, otherwise a text that says what to do. */
export function whyMissing(...parts: Part[]): string {
  const missing = parts.filter((part) => !part.isInstalled());
  if (missing.length === 0) return '';
  const names = missing.map(({ name }) => name).join(', ');
  const command = installCommand(missing.map((part) => part.package));
  return `${names} ${missing.length === 1 ? 'is' : 'are'} missing. As root on Debian or Ubuntu: ${command}`;
}
