import { Anchor, Group, Stack, Title } from '@mantine/core';
import { IconFiles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { customerDocumentsQuery } from '../../api/documents.ts';
import { formatNumber } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Empty } from '../../ui/empty.tsx';
import type { PickedCustomer } from './customer-picker.tsx';
import { DocumentTable, loadingFailed } from './document-table.tsx';
import { DropZone } from './queue/drop-zone.tsx';

type CustomerDocumentsProps = {
  customerId: number;
  /** Undefined while loading. */
  customer: PickedCustomer | undefined;
};

export function CustomerDocuments({ customerId, customer }: CustomerDocumentsProps) {
  const titleId = useId();
  const { data, isError, refetch } = useQuery(customerDocumentsQuery(customerId));
  const isEmpty = data?.count === 0;
  return (
    <Stack component="section" aria-labelledby={titleId} gap="md">
      <Group justify="space-between">
        <Title order={2} size="h4" id={titleId}>
          {data ? `Documents (${formatNumber(data.count)})` : 'Documents'}
        </Title>
        <Group>
          {data && !isEmpty && (
            <Anchor component={Link} to={paths.searchOf(customerId)} size="sm">
              Search in these documents
            </Anchor>
          )}
          {customer && <DropZone customer={customer} />}
        </Group>
      </Group>
      {isError && <ErrorBanner text={loadingFailed} onRetry={refetch} />}
      {isEmpty && <Empty icon={<IconFiles />} title="This customer doesn't have any documents yet." />}
      {!isEmpty && (data || !isError) && <DocumentTable documents={data?.documents} withCustomer={false} />}
    </Stack>
  );
}
