import { idParam } from '@customer-database/contract/fields';
import { Input, Pill } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { customerQuery } from '../../api/customers.ts';

type CustomerFilterProps = { id: string; error: ReactNode; onRemove: () => void };

/** Says whose documents are searched. */
export function CustomerFilter({ id, error, onRemove }: CustomerFilterProps) {
  const { data } = useQuery({ ...customerQuery(id), enabled: idParam.safeParse(id).success });
  const name = data?.name ?? `Customer ${id}`;
  return (
    <Input.Wrapper label="Only of" labelElement="div" error={error} mt="sm">
      <Pill
        size="md"
        dir="auto"
        title={name}
        withRemoveButton
        onRemove={onRemove}
        // Mantine hides it from the keyboard and from screen readers.
        removeButtonProps={{ 'aria-label': `Remove ${name}`, 'aria-hidden': false, tabIndex: 0 }}
      >
        {name}
      </Pill>
    </Input.Wrapper>
  );
}
