import { type CustomerField, customerFields } from '@customer-database/contract/customers';
import { AppError } from '../../../http/errors.ts';

const requiredFields: readonly CustomerField[] = ['name', 'dob', 'email'];

/** Columns of our exports and reports, so that users can import both unchanged. */
const ignoredNames: ReadonlySet<string> = new Set(['id', 'createdat', 'updatedat', 'line', 'reason']);

const aliases: Readonly<Record<string, CustomerField>> = {
  fullname: 'name',
  dateofbirth: 'dob',
  birthdate: 'dob',
  emailaddress: 'email',
  phone: 'phone_number',
  telephone: 'phone_number',
  street: 'street_line',
  streetaddress: 'street_line',
};

/** The position of each field's column; -1 if the file does not have it. */
export type Columns = Record<CustomerField, number>;

const normalized = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');

function fieldOf(name: string): CustomerField | undefined {
  const wanted = normalized(name);
  return (
    customerFields.find((field) => normalized(field) === wanted) ??
    (Object.hasOwn(aliases, wanted) ? aliases[wanted] : undefined)
  );
}

const headerError = (text: string) =>
  new AppError('VALIDATION_FAILED', `The first line must name the columns: ${text}`);

export function columnsOf(header: readonly string[]): Columns {
  const columns = Object.fromEntries(customerFields.map((field) => [field, -1])) as Columns;
  for (const [position, name] of header.entries()) {
    if (ignoredNames.has(normalized(name))) continue;
    const field = fieldOf(name);
    if (!field) {
      const problem = name.trim() === '' ? `column ${position + 1} has no name` : `"${name}" is not known`;
      throw headerError(`${problem}. Known are ${customerFields.join(', ')}.`);
    }
    if (columns[field] >= 0) {
      throw headerError(`"${header[columns[field]]}" and "${name}" are both for ${field}.`);
    }
    columns[field] = position;
  }
  const missing = requiredFields.filter((field) => columns[field] < 0);
  if (missing.length > 0) throw headerError(`there is none for ${missing.join(' and ')}.`);
  return columns;
}
