import { canInstall, installFromDebian } from '../../../scripts/debian.js';
import { clamd } from './clamd.ts';
import { whyMissing } from './debian-package.ts';
import { postgres } from './debian-postgres.ts';
import { haproxy } from './haproxy.ts';
import { swift } from './swift.ts';

const parts = [swift, clamd, haproxy, postgres];

/**
 * Installs what is missing where that can be done, all at once and before any test: in the midst of them it would hold
 * up whatever is being watched, and of two at a time one is refused. Throws where leaving tests out is not acceptable.
 */
export function installParts(): void {
  const missing = parts.filter((part) => !part.isInstalled());
  if (missing.length === 0) return;
  if (canInstall()) installFromDebian(missing.map((part) => part.package));
  const problems = missing.map(whyMissing).filter(Boolean);
  if (problems.length > 0 && process.env.CI === 'true') throw new Error(problems.join('\n'));
}
