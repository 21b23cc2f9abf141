import { randomBytes } from 'node:crypto';
import { createClient } from '@customer-database/testkit/client';
import { randomPdf } from '@customer-database/testkit/factories';
import type { Server } from '@customer-database/testkit/killable-server';
import { readSample } from '../../../server/src/demo/samples.ts';
import type { Request } from '../cases.ts';
import type { Drive, Load } from '../load.ts';
import { type Peaks, watchMemory } from '../memory.ts';
import type { Driver } from '../processes.ts';
import { progress } from '../progress.ts';

export type Backlog = {
  /** How many waited when the measuring began, and at its end. */
  waiting: { from: number; to: number };
  seconds: number;
  reads: { before: Drive; during: Drive };
  uploads: { before: Drive; during: Drive };
  peaks: Peaks;
};

export type BacklogInput = {
  server: Server;
  token: string;
  reads: Request[];
  scans: number;
  seconds: number;
};

const readsPerSecond = 50;
const megabyte = 1024 * 1024;

/** Reads and uploads, first alone and then while scanned documents wait for OCR. */
export async function measureBacklog(driver: Driver, input: BacklogInput): Promise<Backlog> {
  const { server, token, seconds } = input;
  const client = createClient(server.url, token);
  let files = 0;
  const upload = (bytes: Buffer): Request => {
    files += 1;
    const document = {
      customer_id: files,
      filename: `bench-${files}.pdf`,
      mime_type: 'application/pdf',
      file_data: bytes.toString('base64'),
    };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return { method: 'POST', path: '/api/documents', headers, body: JSON.stringify(document) };
  };
  const waiting = async (): Promise<number> =>
    (await client.get('/api/dashboard')).body.maintenance.texts_waiting;
  const drive = async (load: Omit<Load, 'url'>): Promise<Drive> => {
    const result = await driver.drive({ url: server.url, ...load });
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    return result;
  };
  const reading = { requests: input.reads, connections: 4, expectedStatus: 200, isBulky: false };
  const uploading = {
    requests: Array.from({ length: 20 }, () => upload(randomPdf(megabyte))),
    connections: 2,
    expectedStatus: 201,
    isBulky: true,
  };
  const measure = async () => ({
    reads: await drive({ ...reading, effort: { seconds }, perSecond: readsPerSecond }),
    uploads: await drive({ ...uploading, effort: { seconds } }),
  });

  progress('reads and uploads alone');
  await drive({ ...reading, effort: { seconds: 1 }, perSecond: readsPerSecond });
  const before = await measure();

  progress(`uploading ${input.scans.toLocaleString('en')} scans`);
  const scan = readSample('delivery-note-en.pdf');
  const scans = Array.from({ length: input.scans }, () =>
    // What follows the end of a PDF is ignored, but makes it another file.
    upload(Buffer.concat([scan, Buffer.from(`%${randomBytes(8).toString('hex')}\n`)])),
  );
  await drive({ ...uploading, requests: scans, effort: { amount: scans.length } });

  const memory = watchMemory(server.pid());
  const from = await waiting();
  progress(`reads and uploads while ${from} wait`);
  const began = performance.now();
  const during = await measure();
  const waited = (performance.now() - began) / 1000;
  const to = await waiting();
  memory.stop();
  return {
    waiting: { from, to },
    seconds: waited,
    reads: { before: before.reads, during: during.reads },
    uploads: { before: before.uploads, during: during.uploads },
    peaks: memory.peaks,
  };
}
