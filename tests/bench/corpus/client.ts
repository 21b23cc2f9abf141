import { type DocumentDetails, documentTypes } from '@customer-database/contract/documents';
import type { SearchResponse } from '@customer-database/contract/search';
import { createClient } from '@customer-database/testkit/client';
import { extensionOf, type Kind } from './good-files.ts';

export type Client = Awaited<ReturnType<typeof signIn>>;

export const account = { email: 'corpus@example.com', password: 'the corpus of known words' };

export async function signIn(url: string) {
  const { token } = (await createClient(url).post('/api/auth/login', account)).body;
  const client = createClient(url, token);
  const customer = { name: 'The corpus', dob: '2000-01-01', email: account.email };
  const { id } = (await client.post('/api/customers', customer)).body.customer;
  return {
    upload: (file: { name: string; kind: Kind; bytes: Buffer }) =>
      client.post('/api/documents', {
        customer_id: id,
        filename: file.name,
        mime_type: documentTypes[`.${extensionOf(file.kind)}`],
        file_data: file.bytes.toString('base64'),
      }),
    textOf: async (documentId: number): Promise<DocumentDetails['text']> =>
      (await client.get(`/api/documents/${documentId}`)).body.document.text,
    waiting: async (): Promise<number> => (await client.get('/api/dashboard')).body.maintenance.texts_waiting,
    async search(q: string): Promise<SearchResponse['pages']['items']> {
      const query = new URLSearchParams({ q, in: 'text', limit: '50' });
      return (await client.get(`/api/search?${query}`)).body.pages.items;
    },
  };
}
