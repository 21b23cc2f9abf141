import { type Customer, customerLabels } from '@customer-database/contract/customers';
import { Alert, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useFocusOnMount } from '../../lib/focus.ts';
import type { CustomerFormState } from './customer-form.tsx';
import { changedFields, valuesOf } from './customer-values.ts';

/** The version that was edited, and the one that another user has saved since. */
export type Conflict = { before: Customer; current: Customer };

type EditConflictProps = {
  conflict: Conflict;
  form: CustomerFormState;
  onSave: () => void;
  onClose: () => void;
};

const valueOrDash = (text: string) => (text === '' ? '–' : <bdi>{text}</bdi>);

/** Nothing was saved and the user's input is still there; the user decides. */
export function EditConflict({ conflict, form, onSave, onClose }: EditConflictProps) {
  const [before, theirs] = [valuesOf(conflict.before), valuesOf(conflict.current)];
  const changed = changedFields(before, theirs);
  const panel = useFocusOnMount<HTMLDivElement>();

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
      title="Another user changed this customer"
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
                <Table.Td>{valueOrDash(before[field])}</Table.Td>
                <Table.Td>{valueOrDash(theirs[field])}</Table.Td>
                <Table.Td>
                  {form.values[field] === theirs[field] ? 'The same' : valueOrDash(form.values[field])}
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
