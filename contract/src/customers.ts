import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';

export const customer = z
  .object({
    id: z.int(),
    name: z.string(),
    dob: z.string().nullable(),
    email: z.string().nullable(),
    phone_number: z.string().nullable(),
    street_line: z.string().nullable(),
    city: z.string().nullable(),
    province: z.string().nullable(),
    country: z.string().nullable(),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Customer' });
export type Customer = z.infer<typeof customer>;

/** Set by the server, so that no form and no file has them. */
type ServerField = 'id' | 'created_at' | 'updated_at';

/** Labels of the editable fields, in the order of forms. */
export const customerLabels = {
  name: 'Name',
  dob: 'Date of Birth',
  email: 'Email',
  phone_number: 'Phone number',
  street_line: 'Street line',
  city: 'City',
  province: 'Province',
  country: 'Country',
} as const satisfies Record<Exclude<keyof Customer, ServerField>, string>;
export type CustomerField = keyof typeof customerLabels;
export const customerFields = Object.keys(customerLabels) as CustomerField[];

/** The compiler refuses to forget a field. */
type FieldSchemas = Record<CustomerField, z.ZodType>;

const addressFields = {
  phone_number: field.optionalLine(customerLabels.phone_number, limits.phoneLength),
  street_line: field.optionalLine(customerLabels.street_line, limits.streetLineLength),
  city: field.optionalLine(customerLabels.city, limits.placeLength),
  province: field.optionalLine(customerLabels.province, limits.placeLength),
  country: field.optionalLine(customerLabels.country, limits.placeLength),
};

export const createCustomerInput = z.strictObject({
  name: field.requiredLine('Name', limits.nameLength),
  dob: field.requiredDate('Date of Birth'),
  email: field.email,
  ...addressFields,
} satisfies FieldSchemas);
export type CreateCustomerInput = z.infer<typeof createCustomerInput>;

export const customerChanges = z.strictObject({
  name: field.requiredLine('Name', limits.nameLength).optional(),
  dob: field.optionalDate('Date of Birth'),
  email: field.optionalEmail,
  ...addressFields,
} satisfies FieldSchemas);
export type CustomerChanges = z.infer<typeof customerChanges>;

const ignored = z.unknown().optional().describe('Ignored, so that a client can send a record back unchanged');

export const updateCustomerInput = customerChanges
  .extend({
    id: ignored,
    created_at: ignored,
    updated_at: z.iso
      .datetime('updated_at must be the time that the server sent with the record')
      .optional()
      .describe('The version that the caller edited: 409 if the record has changed since'),
  })
  .transform(({ id: _id, created_at: _created_at, ...input }) => input);
export type UpdateCustomerInput = z.infer<typeof updateCustomerInput>;

export const saveCustomerQuery = z.strictObject({
  check: z
    .enum(['duplicates'], 'check can only be duplicates')
    .optional()
    .describe('Saves nothing if another customer has the same email, or the same name and date of birth'),
});
export type SaveCustomerQuery = z.infer<typeof saveCustomerQuery>;

const shortStreetLine = `Please enter at least ${limits.minStreetLineSearch} characters for street line`;

const searchFilters = {
  name: field.filter('Name'),
  email: field.filter('Email'),
  phone_number: field.filter('Phone number'),
  street_line: field
    .filter('Street line')
    .refine((text) => text === undefined || [...text].length >= limits.minStreetLineSearch, shortStreetLine),
  city: field.filter('City'),
  province: field.filter('Province'),
  country: field.filter('Country'),
} satisfies Record<Exclude<CustomerField, 'dob'>, z.ZodType>;

export const customerSearchInput = z.strictObject({
  ...searchFilters,
  limit: field.searchLimit,
  offset: field.searchOffset,
});
export type CustomerSearchInput = z.infer<typeof customerSearchInput>;

export const customerSearchResponse = z.object({
  customers: z.array(customer),
  ...field.matchCounts,
});

export const customerListResponse = z.object({
  customers: z.array(customer),
  ...field.pageCounts,
});

export const customerResponse = z.object({ customer });
export const savedCustomerResponse = z.object({ message: z.string(), customer });
