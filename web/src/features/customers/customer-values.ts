import {
  type Customer,
  type CustomerChanges,
  type CustomerField,
  customerChanges,
  customerFields,
} from '@customer-database/contract/customers';

/** The form's values; an empty string means none. */
export type CustomerValues = Record<CustomerField, string>;

const valuesFrom = (textOf: (field: CustomerField) => string) =>
  Object.fromEntries(customerFields.map((field) => [field, textOf(field)])) as CustomerValues;

export const emptyValues = valuesFrom(() => '');
export const valuesOf = (customer: Customer) => valuesFrom((field) => customer[field] ?? '');

export const changedFields = (before: CustomerValues, after: CustomerValues) =>
  customerFields.filter((field) => after[field].trim() !== before[field]);

/** Only the changed fields, so that a save does not overwrite somebody else's changes. */
export function changesBetween(before: CustomerValues, after: CustomerValues): CustomerChanges {
  const changed = changedFields(before, after);
  return customerChanges.parse(Object.fromEntries(changed.map((field) => [field, after[field]])));
}
