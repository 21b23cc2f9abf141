import { type Part, whyMissing } from '@customer-database/testkit/debian-package';
import { MissingError } from './findings.ts';

export function requireParts(...parts: Part[]): void {
  const missing = whyMissing(...parts);
  if (missing) throw new MissingError(missing);
}
