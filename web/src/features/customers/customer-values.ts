import type { Customer, UpdateCustomerInput } from '@customer-database/contract/customers';
import { updateCustomerInput } from '@customer-database/contract/customers';

const fields = [
  'name',
  'dob',
  'email',
  'phone_number',
  'street_line',
  'city',
  'province',
  'country',
] as const satisfies (keyof Customer)[];
export type CustomerField = (typeof fields)[number];
/** What the form holds: an empty text is 'none'. */
export type CustomerValues = Record<CustomerField, string>;

const valuesFrom = (textOf: (field: CustomerField) => string) =>
  Object.fromEntries(fields.map((field) => [field, textOf(field)])) as CustomerValues;

export const noValues = valuesFrom(() => '');
export const valuesOf = (customer: Customer) => valuesFrom((field) => customer[field] ?? '');

/** Only what was changed here, so that nobody overwrites what somebody else changed meanwhile. */
export function changesBetween(before: CustomerValues, after: CustomerValues): UpdateCustomerInput {
  const changed = fields.filter((field) => after[field].trim() !== before[field]);
  return updateCustomerInput.parse(Object.fromEntries(changed.map((field) => [field, after[field]])));
}
