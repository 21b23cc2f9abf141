import { expect, it } from 'vitest';
import { dropBlank } from '../src/lib/address.ts';

it('drops fields that are blank or white space, and trims the others', () => {
  expect(dropBlank({ name: '  Ana ', email: '', city: ' \t\n ', country: '0' })).toEqual({
    name: 'Ana',
    country: '0',
  });
});
