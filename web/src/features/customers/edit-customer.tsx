import { type Customer, updateCustomerInput } from '@customer-database/contract/customers';
import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { updateCustomer } from '../../api/customers.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { CustomerForm } from './customer-form.tsx';
import { CustomerMissing } from './customer-missing.tsx';
import { type CustomerValues, changesBetween, valuesOf } from './customer-values.ts';
import { DeleteCustomer } from './delete-customer.tsx';
import { loadingFailed } from './texts.ts';
import { useCustomer } from './use-customer.ts';

export function EditCustomer() {
  const { id, customer, missing, failed, isFresh, refetch } = useCustomer();
  if (missing) {
    return (
      <CustomerMissing title="Customer Not Found" text="The customer you're looking for doesn't exist." />
    );
  }
  return (
    <Screen
      key={id}
      title="Edit Customer"
      tabTitle={customer ? `Edit ${customer.name}` : 'Edit Customer'}
      description={<UserText lines={1}>{customer?.name ?? '…'}</UserText>}
    >
      {customer && isFresh && <EditForm customer={customer} />}
      {!customer && failed && <ErrorBanner text={loadingFailed} onRetry={refetch} />}
      {!(customer && isFresh) && !failed && <FormSkeleton />}
    </Screen>
  );
}

function EditForm({ customer }: { customer: Customer }) {
  // What the user saw when starting; the customer may be fetched again while they type.
  const [before] = useState(() => valuesOf(customer));

  async function save(values: CustomerValues) {
    const changes = changesBetween(before, values);
    if (Object.keys(changes).length === 0) return { customer, done: 'Nothing was changed' };
    return { customer: await updateCustomer(customer.id, changes), done: 'Customer updated successfully' };
  }

  return (
    <CustomerForm
      initialValues={before}
      schema={updateCustomerInput}
      required={['name']}
      draftName={`customer ${customer.id}`}
      submitLabel="Save Changes"
      cancelTo={paths.customer(customer.id)}
      failureText="Failed to update customer. Please try again."
      save={save}
      footer={(leave) => <DeleteCustomer customer={customer} onDeleted={leave} />}
    />
  );
}

function FormSkeleton() {
  return (
    <Stack gap="lg" maw={860} aria-busy>
      {['Person', 'Address'].map((title) => (
        <Panel key={title} title={title}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {[1, 2, 3, 4].map((field) => (
              <Skeleton key={field} height={60} />
            ))}
          </SimpleGrid>
        </Panel>
      ))}
    </Stack>
  );
}
