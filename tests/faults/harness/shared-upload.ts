import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Answer } from '@customer-database/testkit/client';
import { randomPdf } from '@customer-database/testkit/factories';
import { type Ledger, noteUploaded, noteUploading } from './ledger.ts';
import { sha256Of } from './uploads.ts';

export type SharedFile = { bytes: Buffer; base64: Buffer; sha256: string };

export function makeSharedFile(size: number): SharedFile {
  const bytes = randomPdf(size);
  return { bytes, base64: Buffer.from(bytes.toString('base64')), sha256: sha256Of(bytes) };
}

/** Uploads a file that all uploads share in memory; fetch would copy it for each. */
export async function uploadShared(
  { url, token, ledger, customerId }: { url: string; token: string; ledger: Ledger; customerId: number },
  { bytes, base64, sha256 }: SharedFile,
): Promise<Answer> {
  const document = noteUploading(ledger, { customerId, size: bytes.length, sha256 });
  const { filename } = document;
  const fields = JSON.stringify({ customer_id: customerId, filename, mime_type: 'application/pdf' });
  const before = Buffer.from(`${fields.slice(0, -1)},"file_data":"`);
  const after = Buffer.from('"}');
  const answer = await new Promise<Answer>((resolve, reject) => {
    const sending = request(`${url}/api/documents`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': before.length + base64.length + after.length,
      },
    });
    sending.once('error', reject);
    sending.once('response', (response) => {
      const headers = new Headers({ 'retry-after': response.headers['retry-after'] ?? '' });
      const status = response.statusCode ?? 0;
      text(response).then((body) => resolve({ status, headers, body: JSON.parse(body) }), reject);
    });
    for (const part of [before, base64]) sending.write(part);
    sending.end(after);
  });
  noteUploaded(ledger, document, answer);
  return answer;
}
