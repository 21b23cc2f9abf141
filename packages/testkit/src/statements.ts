import pg from 'pg';
import { afterTest } from './cleanup.ts';

/** Notes the text of every statement of this process from now on, until the test ends. */
export function noteStatements(): { since(): string[] } {
  const noted: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function noting(this: pg.Client, ...args: [{ text?: string } | string]) {
    const [first] = args;
    noted.push(typeof first === 'string' ? first : (first.text ?? ''));
    return Reflect.apply(query, this, args);
  } as typeof query;
  afterTest(async () => {
    pg.Client.prototype.query = query;
  });
  return { since: () => noted.splice(0) };
}
