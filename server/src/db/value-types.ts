import pg from 'pg';

const oid = { int8: 20, date: 1082 };

/** How values that PostgreSQL sends become ours. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(typeId: number, format?: 'text' | 'binary') {
    // Ids and counts stay far below 2^53, and a calendar date is no point in time.
    if (typeId === oid.int8) return Number;
    if (typeId === oid.date) return (text: string) => text;
    return pg.types.getTypeParser(typeId, format);
  },
};

/** How values become what PostgreSQL reads; everything but bytes goes as text. */
export function sentValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'number')) return `{${value.join()}}`;
  throw new TypeError('a kind of value that has no text for PostgreSQL yet');
}
