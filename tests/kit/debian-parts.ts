import { canInstall, installFromDebian } from '../../scripts/debian.js';
import { clamd } from './clamd.ts';
import { curl } from './curl.ts';
import { type Part, whyMissing } from './debian-package.ts';
import { postgres } from './debian-postgres.ts';
import { haproxy } from './haproxy.ts';
import { libreOffice, whyNotIsolated } from './libreoffice.ts';
import { pgbouncer } from './pgbouncer.ts';
import { swift } from './swift.ts';

const parts = [swift, clamd, haproxy, postgres, pgbouncer, curl, libreOffice];

/**
 * Installs missing packages where it can, in one apt run before any test: during the tests it would disturb timing,
 * and apt refuses to run twice at once. Throws on CI, where no test may be skipped.
 */
export function installParts(more: Part[] = []): void {
  const missing = [...parts, ...more].filter((part) => !part.isInstalled());
  if (missing.length > 0 && canInstall()) installFromDebian(missing.map((part) => part.package));
  if (process.env.CI !== 'true') return;
  const problems = [whyMissing(...missing), whyNotIsolated()].filter(Boolean);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
