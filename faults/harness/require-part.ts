import { type Part, whyMissing } from '../../server/test/support/debian-package.ts';
import { MissingError } from './findings.ts';

export function requirePart(part: Part): void {
  const missing = whyMissing(part);
  if (missing) throw new MissingError(missing);
}
