import { randomBytes } from 'node:crypto';
import type { App } from '../server/src/start/app.ts';
import type { Colleague } from './people.ts';

/** A file to upload, and links to uploaded copies. */
export type Sample = { megabytes: number; base64: string; links: string[] };

/** A unique PDF of this size. */
export function pdfOf(bytes: number): Buffer {
  const file = randomBytes(bytes);
  file.write('%PDF-1.7\n');
  file.write('\n%%EOF\n', file.length - 7);
  return file;
}

async function uploadedLink(
  app: App,
  { token }: Colleague,
  customerId: number,
  filename: string,
  base64: string,
) {
  const headers = { authorization: `Bearer ${token}` };
  const payload = { customer_id: customerId, filename, mime_type: 'application/pdf', file_data: base64 };
  const uploaded = await app.inject({ method: 'POST', url: '/api/documents', headers, payload });
  if (uploaded.statusCode !== 201) throw new Error(`The sample upload failed: ${uploaded.body}`);
  const { document } = uploaded.json();
  const link = await app.inject({ method: 'GET', url: `/api/documents/${document.id}/download`, headers });
  const { pathname, search } = new URL(link.json().download_url);
  return pathname + search;
}

export async function makeSamples(app: App, colleague: Colleague, customerIds: number[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const megabytes of [1, 10]) {
    const base64 = pdfOf(megabytes * 1024 * 1024).toString('base64');
    const links: string[] = [];
    for (const id of customerIds.slice(0, 5)) {
      links.push(await uploadedLink(app, colleague, id, `bench-sample-${megabytes}.pdf`, base64));
    }
    samples.push({ megabytes, base64, links });
  }
  return samples;
}
