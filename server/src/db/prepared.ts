import { createHash } from 'node:crypto';

const names = new Map<string, string>();
// Every connection keeps all of them in memory.
const maxPrepared = 200;

/**
 * Prepares a statement once per connection: parsing and planning often cost more than running it. The name is a
 * hash of the text, so that it means the same on every connection.
 */
export function prepare(text: string): void {
  if (names.has(text) || names.size >= maxPrepared) return;
  names.set(text, createHash('sha256').update(text).digest('base64url').slice(0, 22));
}

export const preparedName = (text: string): string | undefined => names.get(text);
