import type { ChangedValue, Changes } from '@customer-database/contract/activity-response';

type Values<Field extends string> = { readonly [name in Field]?: ChangedValue | undefined };

/** The fields that differ, with both values. Pass {} for a record before its creation or after its deletion. */
export function changesBetween<Field extends string>(
  before: Values<Field>,
  after: Values<Field>,
  fields: readonly Field[],
): Changes {
  const changes: Changes = {};
  for (const field of fields) {
    const from = before[field] ?? null;
    const to = after[field] ?? null;
    if (from !== to) changes[field] = { from, to };
  }
  return changes;
}
