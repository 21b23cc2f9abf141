import pg from 'pg';
import { afterTest } from './cleanup.ts';

/** Records every SQL statement of this process until the test ends. */
export function recordStatements(): { take(): string[] } {
  const recorded: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function recording(this: pg.Client, ...args: [{ text?: string } | string]) {
    const [first] = args;
    recorded.push(typeof first === 'string' ? first : (first.text ?? ''));
    return Reflect.apply(query, this, args);
  } as typeof query;
  afterTest(async () => {
    pg.Client.prototype.query = query;
  });
  return { take: () => recorded.splice(0) };
}
