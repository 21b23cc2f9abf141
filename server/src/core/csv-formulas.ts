// Some spreadsheets treat full-width forms as the plain signs.
const formulaSign = '[=+\\-@\\uff0b\\uff0d\\uff1d\\uff20]';
// Blanks exclude the tab, after which a cell begins, so that no character is scanned twice.
const atStart = `^(?='*[\\t\\r\\n]|(?:[^\\S\\t]|')*${formulaSign})`;
const afterSeparator = `(?<=[;\\t])(?=(?:[^\\S\\t]|["'])*${formulaSign})`;
const formulaStart = new RegExp(`${atStart}|${afterSeparator}`, 'g');
const escapedStart = new RegExp(`(?:${atStart}|${afterSeparator})'`, 'g');

/**
 * Prevents CSV injection: a spreadsheet runs a cell that begins like a formula, unless an apostrophe precedes it. If it
 * splits lines at semicolons or tabs, cells also begin after those within a value. A value with apostrophes before a
 * formula gets one more, so that removing one restores it exactly. Other apostrophes ('t Hooft) stay.
 */
export function escapeFormula(text: string): string {
  return text.replace(formulaStart, "'");
}

export function unescapeFormula(text: string): string {
  return text.includes("'") ? text.replace(escapedStart, '') : text;
}
