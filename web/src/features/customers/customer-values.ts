import {
  type Customer,
  type CustomerChanges,
  type CustomerField,
  customerChanges,
  customerFields,
} from '@customer-database/contract/customers';

/** What the form holds: an empty text is 'none'. */
export type CustomerValues = Record<CustomerField, string>;

const valuesFrom = (textOf: (field: CustomerField) => string) =>
  Object.fromEntries(customerFields.map((field) => [field, textOf(field)])) as CustomerValues;

export const noValues = valuesFrom(() => '');
export const valuesOf = (customer: Customer) => valuesFrom((field) => customer[field] ?? '');

export const changedFields = (before: CustomerValues, after: CustomerValues) =>
  customerFields.filter((field) => after[field].trim() !== before[field]);

/** Only what was changed here, so that nobody overwrites what somebody else changed meanwhile. */
export function changesBetween(before: CustomerValues, after: CustomerValues): CustomerChanges {
  const changed = changedFields(before, after);
  return customerChanges.parse(Object.fromEntries(changed.map((field) => [field, after[field]])));
}
