import { type Part, whyMissing } from '@customer-database/testkit/debian-package';
import { MissingError } from './findings.ts';

export function requirePart(part: Part): void {
  const missing = whyMissing(part);
  if (missing) throw new MissingError(missing);
}
