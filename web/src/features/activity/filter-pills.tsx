import type { Activity } from '@customer-database/contract/activity-response';
import { Group, Text } from '@mantine/core';
import type { ActivityFilters } from '../../api/activity.ts';
import { RemovablePill } from '../../ui/removable-pill.tsx';

export const pillFields = ['person', 'customer_id', 'document_id'] as const;
export type PillField = (typeof pillFields)[number];

const isOf = (row: Activity, type: string, id: string) =>
  row.subject_type === type && String(row.subject_id) === id;

/** The rows have the names of the ids that filter them. */
const textOf: Record<PillField, (id: string, rows: Activity[]) => string> = {
  person: (id, rows) => rows.find(({ actor_id }) => String(actor_id) === id)?.actor_name ?? `Person ${id}`,
  customer_id: (id, rows) => rows.find((row) => isOf(row, 'customer', id))?.subject_label ?? `Customer ${id}`,
  document_id: (id, rows) => rows.find((row) => isOf(row, 'document', id))?.subject_label ?? `Document ${id}`,
};

type FilterPillsProps = {
  filters: ActivityFilters;
  rows: Activity[] | undefined;
  onRemove: (field: PillField) => void;
};

/** Filters that links set: a person in the table, or a record. */
export function FilterPills({ filters, rows = [], onRemove }: FilterPillsProps) {
  const given = pillFields.flatMap((field) => {
    const id = filters[field];
    return id === undefined ? [] : { field, text: textOf[field](id, rows) };
  });
  if (given.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Only
      </Text>
      {given.map(({ field, text }) => (
        <RemovablePill key={field} onRemove={() => onRemove(field)}>
          {text}
        </RemovablePill>
      ))}
    </Group>
  );
}
