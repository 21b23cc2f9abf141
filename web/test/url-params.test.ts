import { expect, it } from 'vitest';
import { dropBlank } from '../src/lib/url-params.ts';

it('drops blank fields and trims the others', () => {
  expect(dropBlank({ name: '  Ana ', email: '', city: ' \t\n ', country: '0' })).toEqual({
    name: 'Ana',
    country: '0',
  });
});
