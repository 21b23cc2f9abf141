import { customerFields, makeCustomer, unique } from '@customer-database/testkit/factories';
import * as bad from './bad-values.ts';
import { callsOf } from './call.ts';

const unknownId = 'Customer not found';

const name = bad.requiredLine('Name', 200);
const address = {
  phone_number: bad.phoneNumber,
  street_line: bad.optionalLine('Street line', 200),
  city: bad.optionalLine('City', 100),
  province: bad.optionalLine('Province', 100),
  country: bad.optionalLine('Country', 100),
};

export const customerCalls = {
  ...callsOf('signed-in', 'read token', {
    'GET /api/customers': {},
    'GET /api/customers/{id}': { example: ({ customerId }) => ({ id: customerId }), unknownId },
    'POST /api/customers/search': {
      changes: 'nothing',
      example: { body: { name: 'A' } },
      badFields: {
        name: bad.filter('Name'),
        email: bad.filter('Email'),
        phone_number: bad.filter('Phone number'),
        street_line: [
          ...bad.filter('Street line'),
          [' x ', 'Please enter at least 2 characters for street line'],
        ],
        city: bad.filter('City'),
        province: bad.filter('Province'),
        country: bad.filter('Country'),
        ...bad.searchPage,
      },
    },
  }),
  ...callsOf('admin', 'write token', {
    'POST /api/customers': {
      example: () => ({ body: customerFields() }),
      badFields: { name, dob: bad.requiredDate('Date of Birth'), email: bad.requiredEmail, ...address },
    },
    'PUT /api/customers/{id}': {
      example: ({ customerId }) => ({ id: customerId, body: { city: unique('City') } }),
      unknownId,
      badFields: {
        name: bad.ifSent(name),
        dob: bad.optionalDate('Date of Birth'),
        email: bad.optionalEmail,
        ...address,
        updated_at: bad.seenAt,
        // A record may be sent back unchanged.
        id: [],
        created_at: [],
      },
    },
    'DELETE /api/customers/{id}': {
      example: async ({ admin }) => ({ id: (await makeCustomer(admin.client)).id }),
      unknownId,
    },
  }),
};
