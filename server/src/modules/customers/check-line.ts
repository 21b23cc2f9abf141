import {
  type CreateCustomerInput,
  type CustomerField,
  createCustomerInput,
  customerLabels,
} from '@customer-database/contract/customers';
import type { z } from 'zod';
import { futureBirthText, latestBirthDate } from './birth.ts';
import { columnsOf, restoreFormula } from './csv.ts';

export type CheckedLine = { customer: CreateCustomerInput } | { reason: string };

/** Most texts say themselves which field they are about. */
function reasonFor(field: string, text: string): string {
  const label = Object.hasOwn(customerLabels, field) ? customerLabels[field as CustomerField] : field;
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

const place = createCustomerInput.pick({ city: true, province: true, country: true });
const allButPlace = createCustomerInput.omit({ city: true, province: true, country: true });

type Checked<T> = { data: T; reason: '' } | { data?: never; reason: string };

function checked<T>(schema: z.ZodType<T>, input: unknown): Checked<T> {
  const result = schema.safeParse(input);
  return result.success ? { data: result.data, reason: '' } : { reason: reasonsOf(result.error.issues) };
}

// More than the towns that most companies have customers in.
const mostKnownPlaces = 10_000;

/** Customers live in the same places: each is checked once. */
function createPlaceCheck() {
  const known = new Map<string, Checked<z.infer<typeof place>>>();
  return (city: string | undefined, province: string | undefined, country: string | undefined) => {
    const key = `${city}\n${province}\n${country}`;
    let result = known.get(key);
    if (!result) {
      result = checked(place, { city, province, country });
      if (known.size < mostKnownPlaces) known.set(key, result);
    }
    return result;
  };
}

/** Takes a line for what the API would take as a new customer, and for nothing else. */
export function createLineCheck(header: readonly string[], now: Date): (values: string[]) => CheckedLine {
  const columns = columnsOf(header);
  const latestBirth = latestBirthDate(now);
  const checkPlace = createPlaceCheck();
  return (values) => {
    if (values.length !== header.length) {
      return { reason: `${values.length} columns instead of ${header.length}` };
    }
    const read = (field: CustomerField) => {
      const value = values[columns[field]];
      return value === undefined ? undefined : restoreFormula(value);
    };
    // Written out, so that all these objects have one shape: it makes the check a good deal faster.
    const person = checked(allButPlace, {
      name: read('name'),
      dob: read('dob'),
      email: read('email'),
      phone_number: read('phone_number'),
      street_line: read('street_line'),
    });
    const where = checkPlace(read('city'), read('province'), read('country'));
    if (!person.data || !where.data) {
      return { reason: [person.reason, where.reason].filter((reason) => reason !== '').join('; ') };
    }
    if (person.data.dob > latestBirth) return { reason: futureBirthText };
    return { customer: Object.assign(person.data, where.data) };
  };
}
