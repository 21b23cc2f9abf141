import { type Customer, customerChanges } from '@customer-database/contract/customers';
import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { conflictIn, type SaveOptions, updateCustomer } from '../../api/customers.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CustomerForm, type Saved, useCustomerForm } from './customer-form.tsx';
import { CustomerMissing } from './customer-missing.tsx';
import { type CustomerValues, changedFields, changesBetween, valuesOf } from './customer-values.ts';
import { DeleteCustomer } from './delete-customer.tsx';
import { type Conflict, EditConflict } from './edit-conflict.tsx';
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
      trail={[
        { to: paths.allCustomers, label: 'All Customers' },
        { to: paths.customer(id), label: customer?.name ?? 'Customer' },
      ]}
    >
      {customer && isFresh && <EditForm customer={customer} />}
      {!customer && failed && <ErrorBanner text={loadingFailed} onRetry={refetch} />}
      {!(customer && isFresh) && !failed && <FormSkeleton />}
    </Screen>
  );
}

function EditForm({ customer }: { customer: Customer }) {
  // What the user saw when starting; the customer may be fetched again while they type.
  const [seen, setSeen] = useState(customer);
  const [conflict, setConflict] = useState<Conflict>();
  const form = useCustomerForm(valuesOf(seen), customerChanges);
  const showAt = paths.customer(customer.id);

  /** From here on the changes are made on what somebody else saved; what was not touched here is theirs. */
  function startFrom(current: Customer): void {
    const mine = changedFields(valuesOf(seen), form.values).map((field) => [field, form.values[field]]);
    form.setInitialValues(valuesOf(current));
    form.setValues({ ...valuesOf(current), ...Object.fromEntries(mine) });
    form.resetDirty(valuesOf(current));
    setConflict({ before: seen, current });
    setSeen(current);
  }

  async function save(values: CustomerValues, options: SaveOptions): Promise<Saved | undefined> {
    const changes = changesBetween(valuesOf(seen), values);
    if (Object.keys(changes).length === 0) return { customer: seen, showAt, done: 'Nothing was changed' };
    try {
      const { updated_at } = seen;
      const saved = await updateCustomer(customer.id, { ...changes, updated_at }, options);
      return { customer: saved, showAt, done: 'Customer updated successfully' };
    } catch (error) {
      const current = conflictIn(error);
      if (!current) throw error;
      startFrom(current);
      return undefined;
    }
  }

  return (
    <CustomerForm
      form={form}
      required={['name']}
      draftName={`customer ${customer.id}`}
      submitLabel="Save Changes"
      home={showAt}
      failureText="Failed to update customer. Please try again."
      save={save}
      question={(submit) =>
        conflict && (
          <EditConflict
            key={conflict.current.updated_at}
            conflict={conflict}
            form={form}
            onSave={submit}
            onClose={() => setConflict(undefined)}
          />
        )
      }
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
