import { documentTypes } from '@customer-database/contract/documents';
import type { Answer, Client } from './client.ts';
import { samples } from './samples.ts';
import type { TestApp } from './test-app.ts';

export const texts = {
  noCustomer: 'Please select a customer',
  noFile: 'No file selected',
  wrongType: 'Please select a valid document file (.pdf, .docx, .doc, or .txt)',
  tooLarge: 'File size must be less than 10MB',
  storageAway: 'The document storage is not available right now. Please try again later.',
  deadLink: 'This link has expired or is not valid. Open the document again to get a new one.',
};

export const documentFields = [
  'customer_email',
  'customer_id',
  'customer_name',
  'description',
  'file_size',
  'filename',
  'id',
  'mime_type',
  'protected',
  'thumbnail_url',
  'uploaded_at',
  'uploaded_by_name',
];

export const fieldsOf = (body: Record<string, unknown>) => Object.keys(body).sort();

/** One file of each accepted kind, with its MIME type. */
export const kinds = (['pdf', 'docx', 'doc', 'txt'] as const).map((kind) => ({
  kind,
  mimeType: documentTypes[`.${kind}`],
  bytes: samples[kind],
}));

export type FormFile = { name: string; type: string; bytes: Buffer };

export function formOf(fields: Record<string, unknown>, file?: FormFile): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  if (file) form.set('file', new File([new Uint8Array(file.bytes)], file.name, { type: file.type }));
  return form;
}

/** The smallest form: its file is a PDF. */
export const pdfForm = (customer_id: number) =>
  formOf({ customer_id }, { name: 'a.pdf', type: 'application/pdf', bytes: samples.pdf });

export function uploadForm(client: Client, form: FormData, path = '/api/documents'): Promise<Answer> {
  return client.send(path, { method: 'POST', body: form });
}

export async function issueLink(client: Client, id: number, purpose: 'download' | 'view'): Promise<string> {
  const { status, body } = await client.get(`/api/documents/${id}/${purpose}`);
  if (status !== 200) throw new Error(`no link: ${JSON.stringify(body)}`);
  return body[`${purpose}_url`];
}

export async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`no bytes: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

export async function download(client: Client, id: number): Promise<Buffer> {
  return fetchBytes(await issueLink(client, id, 'download'));
}

export async function storedKeys(app: TestApp): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of app.deps.storage.list('')) keys.push(key);
  return keys.sort();
}

export async function storageKeyOf(app: TestApp, id: number): Promise<string> {
  const { rows } = await app.pool.query('select storage_key from documents where id = $1', [id]);
  return rows[0].storage_key;
}

export async function countRows(
  app: TestApp,
  table: 'customers' | 'documents' | 'activity',
): Promise<number> {
  const { rows } = await app.pool.query(`select count(*)::int as count from ${table}`);
  return rows[0].count;
}

/** What a refused upload must not change. */
export async function stored(app: TestApp): Promise<{ rows: number; objects: string[] }> {
  return { rows: await countRows(app, 'documents'), objects: await storedKeys(app) };
}
