import { createHash } from 'node:crypto';

const names = new Map<string, string>();
// Each connection keeps every one of them.
const mostPrepared = 200;

/**
 * Has a statement prepared once for each connection: parsing and planning cost more than most of them take to run. The
 * name is made of the text, so that it means the same on every connection.
 */
export function prepare(text: string): void {
  if (names.has(text) || names.size >= mostPrepared) return;
  names.set(text, createHash('sha256').update(text).digest('base64url').slice(0, 22));
}

export const preparedName = (text: string): string | undefined => names.get(text);
