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
