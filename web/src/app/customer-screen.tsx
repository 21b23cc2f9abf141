import { Stack } from '@mantine/core';
import { History } from '../features/activity/history.tsx';
import { CustomerDetails } from '../features/customers/customer-details.tsx';
import { CustomerDocuments } from '../features/documents/customer-documents.tsx';

/** Joins customers, documents and activity here, because features must not import each other. */
export function CustomerScreen() {
  return (
    <CustomerDetails>
      {(customerId, customer) => (
        <Stack gap="lg">
          <CustomerDocuments customerId={customerId} customer={customer} />
          <History of={{ customer_id: customerId }} />
        </Stack>
      )}
    </CustomerDetails>
  );
}
