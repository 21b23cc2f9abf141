import { type Customer, type CustomerField, customerFields } from '@customer-database/contract/customers';
import type { CustomerRow } from './repo.ts';

export function presentCustomer(row: CustomerRow): Customer {
  const fields = Object.fromEntries(customerFields.map((field) => [field, row[field]]));
  return {
    id: row.id,
    ...(fields as Pick<CustomerRow, CustomerField>),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
