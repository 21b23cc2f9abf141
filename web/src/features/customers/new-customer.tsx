import { createCustomerInput } from '@customer-database/contract/customers';
import { createCustomer, type SaveOptions } from '../../api/customers.ts';
import { paths } from '../../lib/paths.ts';
import { Screen } from '../../ui/screen.tsx';
import { CustomerForm, type Saved, useCustomerForm } from './customer-form.tsx';
import { type CustomerValues, emptyValues } from './customer-values.ts';

async function create(values: CustomerValues, options: SaveOptions): Promise<Saved> {
  const customer = await createCustomer(createCustomerInput.parse(values), options);
  const path = customer ? paths.customer(customer.id) : paths.customers;
  return { customer, path, message: 'Customer created successfully' };
}

export function NewCustomer() {
  const form = useCustomerForm(emptyValues, createCustomerInput);
  return (
    <Screen
      title="Add Customer"
      record="customer"
      crumbs={[{ to: paths.allCustomers, label: 'All Customers' }]}
      description="Fields marked with * are required."
    >
      <CustomerForm
        form={form}
        required={['name', 'dob', 'email']}
        draftName="new customer"
        submitLabel="Create Customer"
        fallbackPath={paths.customers}
        failureText="Failed to create customer. Please try again."
        save={create}
      />
    </Screen>
  );
}
