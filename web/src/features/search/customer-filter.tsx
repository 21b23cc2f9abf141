import { idParam } from '@customer-database/contract/fields';
import { Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { customerQuery } from '../../api/customers.ts';
import { RemovablePill } from '../../ui/removable-pill.tsx';

type CustomerFilterProps = { id: string; error: ReactNode; onRemove: () => void };

/** Shows whose documents are searched. */
export function CustomerFilter({ id, error, onRemove }: CustomerFilterProps) {
  const { data } = useQuery({ ...customerQuery(id), enabled: idParam.safeParse(id).success });
  const name = data?.name ?? `Customer ${id}`;
  return (
    <Input.Wrapper label="Customer" labelElement="div" error={error} mt="sm">
      <RemovablePill onRemove={onRemove}>{name}</RemovablePill>
    </Input.Wrapper>
  );
}
