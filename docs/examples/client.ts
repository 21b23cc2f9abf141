// Signs in, finds a customer, uploads a document for them and downloads it again.
// docs/API.md shows how to generate api.ts, the types of every call, from the server's description.
import { env, stdout } from 'node:process';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type Answer<Data> = { data?: Data; error?: components['schemas']['Error'] };

/** All errors have one shape. */
async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error } = await call;
  if (data === undefined) throw new Error(error ? `${error.code}: ${error.error}` : 'no data');
  return data;
}

function asForm(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

const { API = 'http://localhost:3000', EMAIL = '', PASSWORD = '', CUSTOMER = '' } = env;
const client = createClient<paths>({ baseUrl: API });

const session = await dataOf(client.POST('/api/auth/login', { body: { email: EMAIL, password: PASSWORD } }));
if (!('token' in session)) throw new Error('This account also needs a code: POST /api/auth/mfa/verify-login');
client.use({
  onRequest: ({ request }) => request.headers.set('authorization', `Bearer ${session.token}`),
});

const found = await dataOf(client.POST('/api/customers/search', { body: { name: CUSTOMER } }));
const [customer] = found.customers;
if (!customer) throw new Error(`There is no customer ${CUSTOMER}`);

const file = new File(['Good morning'], 'greeting.txt', { type: 'text/plain' });
const { document } = await dataOf(
  client.POST('/api/documents', {
    // The generator writes string for the content of a file.
    body: { customer_id: customer.id, file: file as unknown as string },
    bodySerializer: asForm,
  }),
);

const link = await dataOf(
  client.GET('/api/documents/{id}/download', { params: { path: { id: document.id } } }),
);
const text = await (await fetch(link.download_url)).text();

await dataOf(client.POST('/api/auth/logout'));
stdout.write(JSON.stringify({ User: session.user, Customer: customer, Document: document, text }));
