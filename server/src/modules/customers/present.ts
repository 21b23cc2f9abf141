import type { Customer } from '@customer-database/contract/customers';
import type { CustomerRow } from './repo.ts';

export const presentCustomer = (row: CustomerRow): Customer => ({
  id: row.id,
  name: row.name,
  dob: row.dob,
  email: row.email,
  phone_number: row.phone_number,
  street_line: row.street_line,
  city: row.city,
  province: row.province,
  country: row.country,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
