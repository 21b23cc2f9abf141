import { type Customer, customerChanges } from '@customer-database/contract/customers';
import { useState } from 'react';
import { customerQuery, findConflict, type SaveOptions, updateCustomer } from '../../api/customers.ts';
import { useRecordInUrl } from '../../api/record-in-url.ts';
import { paths } from '../../lib/paths.ts';
import { ErrorBanner } from '../../ui/banners.tsx';
import { FormSkeleton } from '../../ui/form-skeleton.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CustomerForm, type Saved, useCustomerForm } from './customer-form.tsx';
import { CustomerMissing } from './customer-missing.tsx';
import { type CustomerValues, changedFields, valuesOf } from './customer-values.ts';
import { DeleteCustomer } from './delete-customer.tsx';
import { type Conflict, EditConflict } from './edit-conflict.tsx';
import { loadingFailed } from './texts.ts';

export function EditCustomer() {
  const { id, record: customer, isMissing, error, isFresh, refetch } = useRecordInUrl(customerQuery);
  if (isMissing) {
    return (
      <CustomerMissing title="Customer Not Found" text="The customer you're looking for doesn't exist." />
    );
  }
  return (
    <Screen
      key={id}
      title="Edit Customer"
      tabTitle={customer ? `Edit ${customer.name}` : 'Edit Customer'}
      record="customer"
      crumbs={[
        { to: paths.allCustomers, label: 'All Customers' },
        { to: paths.customer(id), label: customer?.name ?? 'Customer' },
      ]}
    >
      {customer && isFresh && <EditForm customer={customer} />}
      {!customer && error && <ErrorBanner text={loadingFailed} onRetry={refetch} />}
      {!(customer && isFresh) && !error && <FormSkeleton />}
    </Screen>
  );
}

function EditForm({ customer }: { customer: Customer }) {
  // The version being edited; the customer may be refetched while the user types.
  const [base, setBase] = useState(customer);
  const [conflict, setConflict] = useState<Conflict>();
  const form = useCustomerForm(valuesOf(base), customerChanges);
  const path = paths.customer(customer.id);

  /** Applies the user's changes on top of the version that another user saved. */
  function rebaseOnto(current: Customer): void {
    const mine = changedFields(valuesOf(base), form.values).map((field) => [field, form.values[field]]);
    form.setInitialValues(valuesOf(current));
    form.setValues({ ...valuesOf(current), ...Object.fromEntries(mine) });
    form.resetDirty(valuesOf(current));
    setConflict({ before: base, current });
    setBase(current);
  }

  async function save(values: CustomerValues, options: SaveOptions): Promise<Saved | undefined> {
    if (changedFields(valuesOf(base), values).length === 0)
      return { customer: base, path, message: 'Nothing was changed' };
    try {
      // All fields. The server refuses them if the record has changed since `updated_at`.
      const { updated_at } = base;
      const changes = { ...customerChanges.parse(values), updated_at };
      const saved = await updateCustomer(customer.id, changes, options);
      return { customer: saved, path, message: 'Customer updated successfully' };
    } catch (error) {
      const current = findConflict(error);
      if (!current) throw error;
      rebaseOnto(current);
      return undefined;
    }
  }

  return (
    <CustomerForm
      form={form}
      required={['name']}
      draftName={`customer ${customer.id}`}
      submitLabel="Save Changes"
      fallbackPath={path}
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
      footer={(discard) => <DeleteCustomer customer={customer} onDeleted={discard} />}
    />
  );
}
