import type { SearchResponse } from '@customer-database/contract/search';
import { expect, vi } from 'vitest';
import type { Client } from './client.ts';

/** Until the text of all documents was read. Needs jobs. */
export async function waitUntilRead(admin: Client): Promise<void> {
  await vi.waitFor(
    async () => expect((await admin.get('/api/dashboard')).body.maintenance.texts_waiting).toBe(0),
    { timeout: 90_000, interval: 50 },
  );
}

export async function search(
  client: Client,
  q: string,
  filters: Record<string, string | number> = {},
): Promise<SearchResponse> {
  const query = new URLSearchParams({ q });
  for (const [name, value] of Object.entries(filters)) query.set(name, String(value));
  const { status, body } = await client.get(`/api/search?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** With its hits in brackets. */
export const snippetText = ({ snippet }: SearchResponse['pages']['items'][number]) =>
  snippet.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('');
