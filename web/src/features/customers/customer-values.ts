import { type Customer, type CustomerField, customerFields } from '@customer-database/contract/customers';

import { dayOf } from '../../lib/format.ts';

/** The form's values; an empty string means none. */
export type CustomerValues = Record<CustomerField, string>;

const valuesFrom = (textOf: (field: CustomerField) => string) =>
  Object.fromEntries(customerFields.map((field) => [field, textOf(field)])) as CustomerValues;

export const emptyValues = valuesFrom(() => '');
export const valuesOf = (customer: Customer) =>
  valuesFrom((field) => (field === 'dob' ? dayOf(customer.dob ?? '') : String(customer[field] ?? '')));

export const changedFields = (before: CustomerValues, after: CustomerValues) =>
  customerFields.filter((field) => after[field].trim() !== before[field]);
