import type { Customer } from '@customer-database/contract/customers';
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { errorText } from '../../api/client.ts';
import { customerQuery, deleteCustomer } from '../../api/customers.ts';
import { customerDocumentsQuery } from '../../api/documents.ts';
import { removeAfterUnmount } from '../../api/remove-after-unmount.ts';
import { formatNumber } from '../../lib/format.ts';
import { useSubmit } from '../../lib/forms.ts';
import { useGoBack } from '../../lib/go-back.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { useConfirmation } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';

type DeleteCustomerProps = { customer: Customer; onDeleted: () => void };

export function DeleteCustomer({ customer, onDeleted }: DeleteCustomerProps) {
  const queryClient = useQueryClient();
  const goBack = useGoBack(paths.allCustomers);
  const documents = useQuery(customerDocumentsQuery(customer.id)).data?.count ?? 0;

  const deletion = useSubmit(async ({ id, name }: Customer) => {
    await deleteCustomer(id);
    removeAfterUnmount(queryClient, customerQuery(String(id)).queryKey);
    onDeleted();
    showSuccess(`Deleted "${name}"`);
    await goBack(paths.customer(id));
  });
  const { ask, dialog } = useConfirmation(deletion.submit, ({ name }: Customer) => ({
    title: 'Delete customer',
    text: `Are you sure you want to delete "${name}"? This action cannot be undone.`,
    confirmLabel: 'Delete customer',
  }));

  return (
    <Panel>
      <Stack>
        <Group justify="space-between">
          <Text c="dimmed" size="sm" style={{ flex: '1 1 16rem' }}>
            {documents > 0 ? (
              <>
                This customer has{' '}
                <Anchor component={Link} to={paths.customer(customer.id)} inherit underline="always">
                  {documents === 1 ? '1 document' : `${formatNumber(documents)} documents`}
                </Anchor>{' '}
                and can be deleted only without them. Delete the documents first.
              </>
            ) : (
              'A customer without documents can be deleted. This cannot be undone.'
            )}
          </Text>
          <Button
            variant="light"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => ask(customer)}
            disabled={documents > 0}
          >
            Delete customer
          </Button>
        </Group>
        {deletion.error && (
          <ErrorBanner text={errorText(deletion.error, 'Failed to delete customer. Please try again.')} />
        )}
      </Stack>
      {dialog}
    </Panel>
  );
}
