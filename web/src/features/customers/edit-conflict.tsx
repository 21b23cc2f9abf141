import { type Customer, customerLabels } from '@customer-database/contract/customers';
import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useFocusOnArrival } from '../../lib/focus.ts';
import type { CustomerFormState } from './customer-form.tsx';
import { changedFields, valuesOf } from './customer-values.ts';

/** What was seen here, and what somebody else made of it meanwhile. */
export type Conflict = { before: Customer; current: Customer };

type EditConflictProps = {
  conflict: Conflict;
  form: CustomerFormState;
  onSave: () => void;
  onClose: () => void;
};

const orNone = (text: string) => (text === '' ? '–' : <bdi>{text}</bdi>);

/** Nothing was saved, and what was typed is still there: the user decides. */
export function EditConflict({ conflict, form, onSave, onClose }: EditConflictProps) {
  const [before, theirs] = [valuesOf(conflict.before), valuesOf(conflict.current)];
  const changed = changedFields(before, theirs);
  const panel = useFocusOnArrival<HTMLDivElement>();

  function takeTheirs(): void {
    form.setValues(Object.fromEntries(changed.map((field) => [field, theirs[field]])));
    onClose();
  }

  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      color="orange"
      icon={<IconUsers aria-hidden />}
      title="Somebody else changed this customer meanwhile"
    >
      <Stack gap="sm">
        <Text size="sm">Nothing was saved yet, and what you typed is still here.</Text>
        <Table layout="fixed" horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>Theirs</Table.Th>
              <Table.Th>Yours</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody style={{ overflowWrap: 'anywhere' }}>
            {changed.map((field) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{customerLabels[field]}</Table.Th>
                <Table.Td>{orNone(before[field])}</Table.Td>
                <Table.Td>{orNone(theirs[field])}</Table.Td>
                <Table.Td>
                  {form.values[field] === theirs[field] ? 'The same' : orNone(form.values[field])}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end">
          <Button variant="default" onClick={takeTheirs}>
            Take theirs
          </Button>
          <Button onClick={onSave}>Save on top</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
