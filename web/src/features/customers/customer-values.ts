import { type Customer, type CustomerChanges, customerChanges } from '@customer-database/contract/customers';

/** In the order of the form. */
export const labels = {
  name: 'Name',
  dob: 'Date of Birth',
  email: 'Email',
  phone_number: 'Phone number',
  street_line: 'Street line',
  city: 'City',
  province: 'Province',
  country: 'Country',
} as const satisfies Partial<Record<keyof Customer, string>>;
export type CustomerField = keyof typeof labels;
const fields = Object.keys(labels) as CustomerField[];
/** What the form holds: an empty text is 'none'. */
export type CustomerValues = Record<CustomerField, string>;

const valuesFrom = (textOf: (field: CustomerField) => string) =>
  Object.fromEntries(fields.map((field) => [field, textOf(field)])) as CustomerValues;

export const noValues = valuesFrom(() => '');
export const valuesOf = (customer: Customer) => valuesFrom((field) => customer[field] ?? '');

export const changedFields = (before: CustomerValues, after: CustomerValues) =>
  fields.filter((field) => after[field].trim() !== before[field]);

/** Only what was changed here, so that nobody overwrites what somebody else changed meanwhile. */
export function changesBetween(before: CustomerValues, after: CustomerValues): CustomerChanges {
  const changed = changedFields(before, after);
  return customerChanges.parse(Object.fromEntries(changed.map((field) => [field, after[field]])));
}
