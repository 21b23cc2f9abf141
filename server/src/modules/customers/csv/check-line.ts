import {
  type CreateCustomerInput,
  type CustomerField,
  createCustomerInput,
  customerLabels,
} from '@customer-database/contract/customers';
import type { z } from 'zod';
import { unescapeFormula } from '../../../core/csv-formulas.ts';
import { countText } from '../../../core/text.ts';
import { futureBirthText, latestBirthDate } from '../commands.ts';
import { columnsOf } from './columns.ts';

export type CheckedLine = { customer: CreateCustomerInput } | { reason: string };

/** Most messages begin with the label of their field. */
function reasonFor(field: string, text: string): string {
  const label = Object.hasOwn(customerLabels, field) ? customerLabels[field as CustomerField] : field;
  return text.startsWith(label) ? text : `${label}: ${text}`;
}

type Issue = { path: PropertyKey[]; message: string };

/** One reason for each field, as in the errors of the API. */
function reasonsOf(issues: Issue[]): string {
  const reasons = new Map<string, string>();
  for (const { path, message } of issues) {
    const field = String(path[0]);
    if (!reasons.has(field)) reasons.set(field, reasonFor(field, message));
  }
  return [...reasons.values()].join('; ');
}

const placeFields = { city: true, province: true, country: true } as const;
type PlaceField = keyof typeof placeFields;
type PersonField = Exclude<CustomerField, PlaceField>;

const place = createCustomerInput.pick(placeFields);
const person = createCustomerInput.omit(placeFields);

/** A value for each field: a new field of customers that no line is read for is a compiler error. */
type Values<Field extends CustomerField> = Record<Field, string | undefined>;

type Validated<T> = { data: T; reason: '' } | { data?: never; reason: string };

function validate<T>(schema: z.ZodType<T>, input: unknown): Validated<T> {
  const result = schema.safeParse(input);
  return result.success ? { data: result.data, reason: '' } : { reason: reasonsOf(result.error.issues) };
}

// Most companies have customers in fewer towns.
const maxCachedPlaces = 10_000;

/** Validates each place once, because many customers share one. */
function createPlaceCheck() {
  const cache = new Map<string, Validated<z.infer<typeof place>>>();
  return (values: Values<PlaceField>) => {
    const key = Object.values(values).join('\n');
    let result = cache.get(key);
    if (!result) {
      result = validate(place, values);
      if (cache.size < maxCachedPlaces) cache.set(key, result);
    }
    return result;
  };
}

/** Accepts exactly what the API accepts as a new customer. */
export function createLineCheck(header: readonly string[], now: Date): (values: string[]) => CheckedLine {
  const columns = columnsOf(header);
  const latestBirth = latestBirthDate(now);
  const checkPlace = createPlaceCheck();
  return (values) => {
    if (values.length !== header.length) {
      return { reason: `${countText(values.length, 'column')} instead of ${header.length}` };
    }
    const read = (field: CustomerField) => {
      const value = values[columns[field]];
      return value === undefined ? undefined : unescapeFormula(value);
    };
    // Spelled out, so that all these objects have one shape: that makes the check much faster.
    const personValues: Values<PersonField> = {
      name: read('name'),
      dob: read('dob'),
      email: read('email'),
      phone_number: read('phone_number'),
      street_line: read('street_line'),
    };
    const checkedPerson = validate(person, personValues);
    const checkedPlace = checkPlace({
      city: read('city'),
      province: read('province'),
      country: read('country'),
    });
    if (!checkedPerson.data || !checkedPlace.data) {
      return {
        reason: [checkedPerson.reason, checkedPlace.reason].filter((reason) => reason !== '').join('; '),
      };
    }
    if (checkedPerson.data.dob > latestBirth) return { reason: futureBirthText };
    return { customer: Object.assign(checkedPerson.data, checkedPlace.data) };
  };
}
