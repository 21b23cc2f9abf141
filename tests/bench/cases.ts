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
  /** Sent in turn, repeatedly. */
  requests: Request[];
  expectedStatus: number;
  connections: number;
  /** Size of one request or response, where that matters. */
  bytes?: number;
  /** The least share of the baseline's requests per second. */
  ratio: number;
  /** Whether it may take more than twice as long with a hundred times the data. */
  mayGrow: boolean;
};

type Bound = Pick<Case, 'ratio' | 'mayGrow'>;

/** Little more than the session check. */
export const short: Bound = { ratio: 0.6, mayGrow: false };
const selective: Bound = { ratio: 0.7, mayGrow: false };
/** Nearly all of the work is in the database. */
const broad: Bound = { ratio: 0.9, mayGrow: true };
const bulky: Bound = { ratio: 0.7, mayGrow: true };

const megabyte = 1024 * 1024;

/** `question` names the SQL file with which the baseline answers. */
export const getAs = ({ token }: Pick<Colleague, 'token'>, question: string, path: string): Request => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${token}`, 'x-question': question },
});

export const read = (name: string, bound: Bound, requests: Request[]): Case => ({
  name,
  kind: 'read',
  requests,
  expectedStatus: 200,
  connections: 8,
  ...bound,
});

export type CaseInput = { facts: Facts; colleagues: Colleague[]; samples: Sample[] };

export function benchCases({ facts, colleagues, samples }: CaseInput): Case[] {
  const headersOf = (index: number) => ({
    authorization: `Bearer ${colleagues[index % colleagues.length]?.token}`,
  });
  const get = (question: string, path: string) => getAs(colleagues[0] ?? { token: '' }, question, path);
  const post = (question: string, path: string, body: unknown): Request => ({
    method: 'POST',
    path,
    headers: { ...headersOf(0), 'content-type': 'application/json', 'x-question': question },
    body: JSON.stringify(body),
  });

  const pages = (noun: 'customers' | 'documents', share: number) => {
    const last = Math.ceil(facts[noun] / 50);
    const target = Math.max(1, Math.round(last * share));
    return Array.from({ length: 5 }, (_, step) =>
      get(`${noun}-page`, `/api/${noun}?page=${Math.min(last, Math.max(1, target - step))}&limit=50`),
    );
  };
  const searchOf = (noun: 'customer' | 'document', by: string) => (input: object) =>
    post(`${noun}-search-by-${by}`, `/api/${noun}s/search`, input);
  const customerSearch = (name: string, bound: Bound, by: string, inputs: object[]) =>
    read(`customer search: ${name}`, bound, inputs.map(searchOf('customer', by)));
  const documentSearch = (name: string, bound: Bound, by: string, inputs: object[]) =>
    read(`document search: ${name}`, bound, inputs.map(searchOf('document', by)));

  const byId = facts.customerIds.map((id) => get('customer-by-id', `/api/customers/${id}`));
  const searches = facts.selectiveNames.map((name) => ({ name }));
  const picks = facts.selectiveNames.map((name) => ({ name: name.slice(0, 5).trim(), limit: 20 }));
  const ofOneCustomer = facts.ownerIds.map((id) =>
    get('documents-of-customer', `/api/documents/customer/${id}`),
  );
  const links = facts.documentIds.map((id) => get('link', `/api/documents/${id}/download`));

  const customerById = read('customer by id', short, byId);
  const reads = [
    read('customers, first page', short, [get('customers-page', '/api/customers?page=1&limit=50')]),
    read('customers, middle page', broad, pages('customers', 0.5)),
    read('customers, last page', broad, pages('customers', 1)),
    read('documents, first page', short, [get('documents-page', '/api/documents?page=1&limit=50')]),
    read('documents, middle page', broad, pages('documents', 0.5)),
    read('documents, last page', broad, pages('documents', 1)),
    customerSearch('selective name', selective, 'name', searches),
    customerSearch('two filters', selective, 'name-and-city', facts.nameAndCity),
    customerSearch(
      'broad name (5 %)',
      broad,
      'name',
      facts.broadNames.map((name) => ({ name })),
    ),
    // As many as match in a hundredth of the data, so that the answer is equally large with all of it.
    customerSearch('broad beginning', broad, 'name', [{ name: facts.broadBeginning, limit: 350 }]),
    customerSearch('two letters', broad, 'name', [{ name: facts.commonLetters }]),
    customerSearch('two rare letters', broad, 'name', [{ name: facts.rareLetters }]),
    customerSearch(
      'phone digits',
      selective,
      'phone',
      facts.phoneDigits.map((phone_number) => ({ phone_number })),
    ),
    customerSearch('no match', selective, 'name', [{ name: 'Xyzzyqw' }]),
    customerSearch('picker while typing', selective, 'name', picks),
    documentSearch(
      'filename',
      selective,
      'filename',
      facts.filenames.map((filename) => ({ filename })),
    ),
    documentSearch(
      'customer name',
      selective,
      'customer-name',
      facts.selectiveNames.map((customer_name) => ({ customer_name })),
    ),
    documentSearch('date range', broad, 'days', [facts.days]),
    documentSearch('all together', selective, 'all', facts.papers),
    read('documents of one customer', short, ofOneCustomer),
    read('dashboard', short, [get('dashboard', '/api/dashboard')]),
    read('link issue', short, links),
  ];

  const downloads = samples.map(({ megabytes, links: paths }) => ({
    name: `download ${megabytes} MB`,
    kind: 'download' as const,
    requests: paths.map(
      (path): Request => ({
        method: 'GET',
        path,
        headers: { 'x-question': 'download' },
      }),
    ),
    expectedStatus: 200,
    connections: 4,
    bytes: megabytes * megabyte,
    ...bulky,
  }));
  const uploads = samples.map(({ megabytes, base64 }) => ({
    name: `upload ${megabytes} MB`,
    kind: 'upload' as const,
    // Spread over many customers, so that no filename is taken more than a few times.
    requests: facts.customerIds.slice(0, megabytes > 1 ? 8 : 50).map((customer_id, index) =>
      post('upload', '/api/documents', {
        customer_id,
        filename: `bench-upload-${index}.pdf`,
        mime_type: 'application/pdf',
        file_data: base64,
      }),
    ),
    expectedStatus: 201,
    connections: 4,
    bytes: megabytes * megabyte,
    ...bulky,
  }));

  const signIn: Case = {
    name: 'sign-in',
    kind: 'sign-in',
    requests: colleagues.map(({ email }) => ({
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json', 'x-question': 'sign-in' },
      body: JSON.stringify({ email, password }),
    })),
    expectedStatus: 200,
    connections: 8,
    ...selective,
  };

  const cycle = (requests: Request[], count: number) =>
    Array.from({ length: count }, (_, index) => requests[index % requests.length]).filter(
      (one) => one !== undefined,
    );
  const mixed: Case = {
    ...read(
      'mixed load of 50 people',
      short,
      [
        ...cycle(byId, 20),
        ...cycle(searches.map(searchOf('customer', 'name')), 10),
        ...cycle(picks.map(searchOf('customer', 'name')), 10),
        ...cycle(ofOneCustomer, 10),
        ...cycle(links, 5),
        ...cycle(
          [get('dashboard', '/api/dashboard'), ...pages('customers', 0), ...pages('documents', 0.5)],
          10,
        ),
      ].map((request, index) => ({ ...request, headers: { ...request.headers, ...headersOf(index) } })),
    ),
    connections: 50,
  };

  // Links live for a quarter of an hour, and far pages and broad searches take the baseline longer than that.
  return [customerById, ...downloads, ...reads, ...uploads, signIn, mixed];
}
