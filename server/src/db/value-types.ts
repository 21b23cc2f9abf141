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

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (Array.isArray(value)) return listText(value);
  const sent = sentValue(value);
  const text = Buffer.isBuffer(sent) ? `\\x${sent.toString('hex')}` : String(sent);
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

const listText = (values: unknown[]) =>
  `{${values.every((value) => typeof value === 'number') ? values.join() : values.map(element).join()}}`;

/** How values become what PostgreSQL reads; everything but bytes goes as text. */
export function sentValue(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value;
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return listText(value);
  return JSON.stringify(value);
}
