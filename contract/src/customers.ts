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

const addressFields = {
  phone_number: field.optionalLine('Phone number', limits.phoneLength),
  street_line: field.optionalLine('Street line', limits.streetLineLength),
  city: field.optionalLine('City', limits.placeLength),
  province: field.optionalLine('Province', limits.placeLength),
  country: field.optionalLine('Country', limits.placeLength),
};

export const createCustomerInput = z.strictObject({
  name: field.requiredLine('Name', limits.nameLength),
  dob: field.requiredDate('Date of Birth'),
  email: field.email,
  ...addressFields,
});
export type CreateCustomerInput = z.infer<typeof createCustomerInput>;

export const updateCustomerInput = z.strictObject({
  name: field.requiredLine('Name', limits.nameLength).optional(),
  dob: field.optionalDate('Date of Birth'),
  email: field.optionalEmail,
  ...addressFields,
});
export type UpdateCustomerInput = z.infer<typeof updateCustomerInput>;

const shortStreetLine = `Please enter at least ${limits.minStreetLineSearch} characters for street line`;

export const customerSearchInput = z.strictObject({
  name: field.filter('Name'),
  email: field.filter('Email'),
  phone_number: field.filter('Phone number'),
  street_line: field
    .filter('Street line')
    .refine((text) => text === undefined || [...text].length >= limits.minStreetLineSearch, shortStreetLine),
  city: field.filter('City'),
  province: field.filter('Province'),
  country: field.filter('Country'),
  limit: field.searchLimit,
});
export type CustomerSearchInput = z.infer<typeof customerSearchInput>;

export const customerSearchAnswer = z.object({
  customers: z.array(customer),
  ...field.matchCounts,
});

export const customerListAnswer = z.object({
  customers: z.array(customer),
  ...field.pageCounts,
});

export const customerAnswer = z.object({ customer });
export const savedCustomerAnswer = z.object({ message: z.string(), customer });
