import { type CustomerField, customerFields } from '@customer-database/contract/customers';
import { AppError } from '../../http/errors.ts';

const neededFields: readonly CustomerField[] = ['name', 'dob', 'email'];

/** Of our own exports and reports, so that both can be imported as they are. */
const ignoredNames: ReadonlySet<string> = new Set(['id', 'createdat', 'updatedat', 'line', 'reason']);

const otherNames: Readonly<Record<string, CustomerField>> = {
  fullname: 'name',
  dateofbirth: 'dob',
  birthdate: 'dob',
  emailaddress: 'email',
  phone: 'phone_number',
  telephone: 'phone_number',
  street: 'street_line',
  streetaddress: 'street_line',
};

/** In which column each field stands; -1 for one that the file does not have. */
export type Columns = Record<CustomerField, number>;

const simplified = (name: string) => name.toLowerCase().replace(/[\s_-]+/g, '');

function fieldOf(name: string): CustomerField | undefined {
  const wanted = simplified(name);
  return (
    customerFields.find((field) => simplified(field) === wanted) ??
    (Object.hasOwn(otherNames, wanted) ? otherNames[wanted] : undefined)
  );
}

const refusedHeader = (text: string) =>
  new AppError('VALIDATION_FAILED', `The first line must name the columns: ${text}`);

export function columnsOf(header: readonly string[]): Columns {
  const columns = Object.fromEntries(customerFields.map((field) => [field, -1])) as Columns;
  for (const [position, name] of header.entries()) {
    if (ignoredNames.has(simplified(name))) continue;
    const field = fieldOf(name);
    if (!field) {
      const problem = name.trim() === '' ? `column ${position + 1} has no name` : `"${name}" is not known`;
      throw refusedHeader(`${problem}. Known are ${customerFields.join(', ')}.`);
    }
    if (columns[field] >= 0) {
      throw refusedHeader(`"${header[columns[field]]}" and "${name}" are both for ${field}.`);
    }
    columns[field] = position;
  }
  const missing = neededFields.filter((field) => columns[field] < 0);
  if (missing.length > 0) throw refusedHeader(`there is none for ${missing.join(' and ')}.`);
  return columns;
}

// The wide forms too: some spreadsheets take them for the plain ones.
const sign = '[=+\\-@\\uff0b\\uff0d\\uff1d\\uff20]';
// A tab is left out of the blanks because a cell begins after it: so no character is looked at twice.
const first = `^(?='*[\\t\\r\\n]|(?:[^\\S\\t]|')*${sign})`;
const further = `(?<=[;\\t])(?=(?:[^\\S\\t]|["'])*${sign})`;
const cellThatRuns = new RegExp(`${first}|${further}`, 'g');
const defusedCell = new RegExp(`(?:${first}|${further})'`, 'g');

/**
 * A spreadsheet runs a cell that begins like a formula, but not one with an apostrophe before it; and where it
 * splits lines at semicolons or tabs, a cell begins after each of those within a text, too. A cell of
 * apostrophes and then such a beginning gets one more, or nobody could tell later whose they are: taking one
 * away gives back exactly what was there. Any other apostrophe ('t Hooft) stays alone.
 */
export function defuseFormula(text: string): string {
  return text.replace(cellThatRuns, "'");
}

export function restoreFormula(text: string): string {
  return text.includes("'") ? text.replace(defusedCell, '') : text;
}
