import type { Activity } from '@customer-database/contract/activity-response';
import { Stack } from '@mantine/core';
import { formatFullTime } from '../../lib/format.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ChangeList } from './change-list.tsx';
import { fieldText } from './texts.ts';

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** All facts in a row of the log. */
export function RowDetails({ row }: { row: Activity }) {
  const { at, address, request_id, detail, changes } = row;
  const facts = Object.entries(detail ?? {}).map(([name, value]) => ({
    label: fieldText(name),
    value: textOf(value),
  }));
  return (
    <Stack gap="sm">
      {changes && <ChangeList changes={changes} />}
      <DescriptionList
        items={[
          ...facts,
          { label: 'Time', value: formatFullTime(at) },
          { label: 'IP address', value: address },
          { label: 'Request id', value: request_id },
        ]}
      />
    </Stack>
  );
}
