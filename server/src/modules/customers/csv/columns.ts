import { type CustomerField, customerFields } from '@customer-database/contract/customers';
import { AppError } from '../../../http/errors.ts';

const requiredFields: readonly CustomerField[] = ['name', 'dob', 'email'];

/** Columns of our own exports and reports, so that both can be imported unchanged. */
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

/** The column of each field; -1 if the file does not have it. */
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

// Full-width forms too: some spreadsheets treat them as the plain ones.
const formulaSign = '[=+\\-@\\uff0b\\uff0d\\uff1d\\uff20]';
// Blanks exclude the tab because a cell begins after it: so no character is scanned twice.
const atStart = `^(?='*[\\t\\r\\n]|(?:[^\\S\\t]|')*${formulaSign})`;
const afterSeparator = `(?<=[;\\t])(?=(?:[^\\S\\t]|["'])*${formulaSign})`;
const formulaStart = new RegExp(`${atStart}|${afterSeparator}`, 'g');
const escapedStart = new RegExp(`(?:${atStart}|${afterSeparator})'`, 'g');

/**
 * Against CSV injection: a spreadsheet runs a cell that begins like a formula, unless an apostrophe precedes it;
 * and where it splits lines at semicolons or tabs, a cell begins after each of those within a value, too. A value
 * that has apostrophes before a formula gets one more, so that removing one restores it exactly. Other
 * apostrophes ('t Hooft) stay.
 */
export function escapeFormula(text: string): string {
  return text.replace(formulaStart, "'");
}

export function unescapeFormula(text: string): string {
  return text.includes("'") ? text.replace(escapedStart, '') : text;
}
