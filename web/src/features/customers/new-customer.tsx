import { createCustomerInput } from '@customer-database/contract/customers';
import { createCustomer } from '../../api/customers.ts';
import { paths } from '../../lib/paths.ts';
import { Screen } from '../../ui/screen.tsx';
import { CustomerForm } from './customer-form.tsx';
import { noValues } from './customer-values.ts';

export function NewCustomer() {
  return (
    <Screen title="Add Customer" description="Fields marked with * are required.">
      <CustomerForm
        initialValues={noValues}
        schema={createCustomerInput}
        required={['name', 'dob', 'email']}
        draftName="new customer"
        submitLabel="Create Customer"
        cancelTo={paths.customers}
        failureText="Failed to create customer. Please try again."
        save={async (values) => ({
          customer: await createCustomer(createCustomerInput.parse(values)),
          done: 'Customer created successfully',
        })}
      />
    </Screen>
  );
}
