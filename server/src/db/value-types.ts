import pg from 'pg';

const oid = { int8: 20, date: 1082 };

/** Converts values from PostgreSQL. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser(typeId: number, format?: 'text' | 'binary') {
    // Ids and counts stay far below 2^53, and a calendar date is not a point in time.
    if (typeId === oid.int8) return Number;
    if (typeId === oid.date) return (text: string) => text;
    return pg.types.getTypeParser(typeId, format);
  },
};
