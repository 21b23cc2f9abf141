import type { Facts } from './facts.ts';
import { type Colleague, password } from './people.ts';
import type { Sample } from './samples.ts';

export type Request = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

export type Kind = 'read' | 'upload' | 'download' | 'sign-in';

export type Case = {
  name: string;
  kind: Kind;
  /** Driven in turn, over and over. */
  requests: Request[];
  expectedStatus: number;
  connections: number;
  /** Of one request or answer, where bytes are what counts. */
  bytes?: number;
};

const megabyte = 1024 * 1024;

export type CaseInput = { facts: Facts; colleagues: Colleague[]; samples: Sample[] };

export function benchCases({ facts, colleagues, samples }: CaseInput): Case[] {
  const headersOf = (index: number) => ({
    authorization: `Bearer ${colleagues[index % colleagues.length]?.token}`,
  });
  const get = (path: string, index = 0): Request => ({ method: 'GET', path, headers: headersOf(index) });
  const post = (path: string, body: unknown, index = 0): Request => ({
    method: 'POST',
    path,
    headers: { ...headersOf(index), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const read = (name: string, requests: Request[]): Case => ({
    name,
    kind: 'read',
    requests,
    expectedStatus: 200,
    connections: 8,
  });

  const pages = (noun: 'customers' | 'documents', share: number) => {
    const last = Math.ceil(facts[noun] / 50);
    const around = Math.max(1, Math.round(last * share));
    return Array.from({ length: 5 }, (_, step) =>
      get(`/api/${noun}?page=${Math.min(last, Math.max(1, around - step))}&limit=50`),
    );
  };
  const customerSearch = (name: string, inputs: object[]) =>
    read(
      `customer search: ${name}`,
      inputs.map((input) => post('/api/customers/search', input)),
    );
  const documentSearch = (name: string, inputs: object[]) =>
    read(
      `document search: ${name}`,
      inputs.map((input) => post('/api/documents/search', input)),
    );

  const byId = facts.customerIds.map((id) => get(`/api/customers/${id}`));
  const searches = facts.selectiveNames.map((name) => ({ name }));
  const picks = facts.selectiveNames.map((name) => ({ name: name.slice(0, 5).trim(), limit: 20 }));
  const ofOneCustomer = facts.ownerIds.map((id) => get(`/api/documents/customer/${id}`));
  const links = facts.documentIds.map((id) => get(`/api/documents/${id}/download`));

  const reads = [
    read('customer by id', byId),
    read('customers, first page', [get('/api/customers?page=1&limit=50')]),
    read('customers, middle page', pages('customers', 0.5)),
    read('customers, last page', pages('customers', 1)),
    read('documents, first page', [get('/api/documents?page=1&limit=50')]),
    read('documents, middle page', pages('documents', 0.5)),
    read('documents, last page', pages('documents', 1)),
    customerSearch('selective name', searches),
    customerSearch('two filters', facts.nameAndCity),
    customerSearch(
      'broad name (5 %)',
      facts.broadNames.map((name) => ({ name })),
    ),
    // So many match in a hundredth of the data: more would be a larger answer with all of it.
    customerSearch('broad beginning', [{ name: facts.broadBeginning, limit: 350 }]),
    customerSearch('two letters', [{ name: facts.commonLetters }]),
    customerSearch('two rare letters', [{ name: facts.rareLetters }]),
    customerSearch(
      'phone digits',
      facts.phoneDigits.map((phone_number) => ({ phone_number })),
    ),
    customerSearch('no match', [{ name: 'Xyzzyqw' }]),
    customerSearch('picker while typing', picks),
    documentSearch(
      'filename',
      facts.filenames.map((filename) => ({ filename })),
    ),
    documentSearch(
      'customer name',
      facts.selectiveNames.map((customer_name) => ({ customer_name })),
    ),
    documentSearch('date range', [facts.days]),
    documentSearch('all together', facts.papers),
    read('documents of one customer', ofOneCustomer),
    read('dashboard', [get('/api/dashboard')]),
    read('link issue', links),
  ];

  const downloads = samples.map(({ megabytes, links: paths }) => ({
    name: `download ${megabytes} MB`,
    kind: 'download' as const,
    requests: paths.map((path): Request => ({ method: 'GET', path, headers: {} })),
    expectedStatus: 200,
    connections: 4,
    bytes: megabytes * megabyte,
  }));
  const uploads = samples.map(({ megabytes, base64 }) => ({
    name: `upload ${megabytes} MB`,
    kind: 'upload' as const,
    // Of many customers, so that no name is taken more than a few times.
    requests: facts.customerIds.slice(0, megabytes > 1 ? 8 : 50).map((customer_id, index) =>
      post('/api/documents', {
        customer_id,
        filename: `bench-upload-${index}.pdf`,
        mime_type: 'application/pdf',
        file_data: base64,
      }),
    ),
    expectedStatus: 201,
    connections: 4,
    bytes: megabytes * megabyte,
  }));

  const signIn: Case = {
    name: 'sign-in',
    kind: 'sign-in',
    requests: colleagues.map(({ email }) => ({
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })),
    expectedStatus: 200,
    connections: 8,
  };

  const asMany = (requests: Request[], count: number) =>
    Array.from({ length: count }, (_, index) => requests[index % requests.length]).filter(
      (one) => one !== undefined,
    );
  const mixed: Case = {
    ...read(
      'mixed load of 50 people',
      [
        ...asMany(byId, 20),
        ...asMany(
          searches.map((input) => post('/api/customers/search', input)),
          10,
        ),
        ...asMany(
          picks.map((input) => post('/api/customers/search', input)),
          10,
        ),
        ...asMany(ofOneCustomer, 10),
        ...asMany(links, 5),
        ...asMany([get('/api/dashboard'), ...pages('customers', 0), ...pages('documents', 0.5)], 10),
      ].map((request, index) => ({ ...request, headers: { ...request.headers, ...headersOf(index) } })),
    ),
    connections: 50,
  };

  return [...reads, ...downloads, ...uploads, signIn, mixed];
}
