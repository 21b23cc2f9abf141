import { type CreateCustomerInput, createCustomerInput } from '@customer-database/contract/customers';
import { futureBirthText, latestBirthDate } from './birth.ts';
import { type Columns, type CustomerField, columnsOf, restoreFormula } from './csv.ts';

export type CheckedLine = { customer: CreateCustomerInput } | { reason: string };

const labels: Record<CustomerField, string> = {
  name: 'Name',
  dob: 'Date of Birth',
  email: 'Email',
  phone_number: 'Phone number',
  street_line: 'Street line',
  city: 'City',
  province: 'Province',
  country: 'Country',
};

/** Most texts say themselves which field they are about. */
function reasonFor(field: string, text: string): string {
  const label = Object.hasOwn(labels, field) ? labels[field as CustomerField] : field;
  return text.startsWith(label) ? text : `${label}: ${text}`;
}

type Issue = { path: PropertyKey[]; message: string };

/** One reason for each field, as in the answers of the API. */
function reasonsOf(issues: Issue[]): string {
  const reasons = new Map<string, string>();
  for (const { path, message } of issues) {
    const field = String(path[0]);
    if (!reasons.has(field)) reasons.set(field, reasonFor(field, message));
  }
  return [...reasons.values()].join('; ');
}

function inputOf(values: readonly string[], columns: Columns) {
  const read = (field: CustomerField) => {
    const value = values[columns[field]];
    return value === undefined ? undefined : restoreFormula(value);
  };
  // Written out, so that all these objects have one shape: it makes the check a good deal faster.
  return {
    name: read('name'),
    dob: read('dob'),
    email: read('email'),
    phone_number: read('phone_number'),
    street_line: read('street_line'),
    city: read('city'),
    province: read('province'),
    country: read('country'),
  };
}

/** Takes a line for what the API would take as a new customer, and for nothing else. */
export function createLineCheck(header: readonly string[], now: Date): (values: string[]) => CheckedLine {
  const columns = columnsOf(header);
  const latestBirth = latestBirthDate(now);
  return (values) => {
    if (values.length !== header.length) {
      return { reason: `${values.length} columns instead of ${header.length}` };
    }
    const checked = createCustomerInput.safeParse(inputOf(values, columns));
    if (!checked.success) return { reason: reasonsOf(checked.error.issues) };
    if (checked.data.dob > latestBirth) return { reason: futureBirthText };
    return { customer: checked.data };
  };
}
