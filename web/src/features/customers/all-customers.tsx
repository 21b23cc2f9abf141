import { IconUsers } from '@tabler/icons-react';
import { customerPageQuery } from '../../api/customers.ts';
import { RecordPages } from '../../ui/record-pages.tsx';
import { Screen } from '../../ui/screen.tsx';
import { AddCustomer } from './add-customer.tsx';
import { CustomerTable } from './customer-table.tsx';

export function AllCustomers() {
  return (
    <Screen title="All Customers" actions={<AddCustomer />}>
      <RecordPages
        nouns="customers"
        emptyIcon={<IconUsers />}
        query={customerPageQuery}
        rowsOf={({ customers }) => customers}
        table={(customers, stale) => (
          <CustomerTable label="All customers" customers={customers} stale={stale} />
        )}
      />
    </Screen>
  );
}
