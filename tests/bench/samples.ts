import { randomBytes } from 'node:crypto';
import { randomPdf } from '@customer-database/testkit/factories';
import { streamOf, writePdf } from '../../scripts/write-pdf.js';
import type { App } from '../../server/src/start/app.ts';
import type { Colleague } from './people.ts';

/** A file to upload, and links to uploaded copies. */
export type Sample = { megabytes: number; base64: string; links: string[] };

const pictureSide = 1000;

/** A megabyte on each page. A line of text keeps it from waiting for OCR. */
export function pdfWithPictures(pages: number): Buffer {
  const picture = `/Type /XObject /Subtype /Image /Width ${pictureSide} /Height ${pictureSide} /ColorSpace /DeviceGray /BitsPerComponent 8`;
  const drawing = Buffer.from(
    'q 500 0 0 500 50 250 cm /Picture Do Q BT /F1 11 Tf 50 790 Td (A page with a picture) Tj ET',
  );
  const ids = Array.from({ length: pages }, (_, index) => 4 + 3 * index);
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages} /Kids [${ids.map((id) => `${id} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...ids.flatMap((id) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${id + 1} 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /Picture ${id + 2} 0 R >> >> >>`,
      streamOf('', drawing),
      streamOf(picture, randomBytes(pictureSide * pictureSide)),
    ]),
  ]);
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
    const base64 = randomPdf(megabytes * 1024 * 1024).toString('base64');
    const links: string[] = [];
    for (const id of customerIds.slice(0, 5)) {
      links.push(await uploadedLink(app, colleague, id, `bench-sample-${megabytes}.pdf`, base64));
    }
    samples.push({ megabytes, base64, links });
  }
  return samples;
}
