import { setTimeout as delay } from 'node:timers/promises';
import { openSocket, parseAnswer, readToEnd } from '@customer-database/testkit/raw-http';
import type { Ledger } from './ledger.ts';
import { makeUpload } from './uploads.ts';

/** An upload on a slow connection that would take a minute. Returns the status, or 0 when it was cut. */
export async function uploadSlowly(
  url: string,
  token: string,
  ledger: Ledger,
  customerId: number,
): Promise<number> {
  const { document, bytes } = makeUpload(ledger, customerId, 600_000);
  const file_data = bytes.toString('base64');
  const fields = { customer_id: customerId, filename: document.filename, mime_type: 'application/pdf' };
  const body = Buffer.from(JSON.stringify({ ...fields, file_data }));
  const head = [
    'POST /api/documents HTTP/1.1',
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  const socket = await openSocket(url);
  const answer = readToEnd(socket);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < body.length && !socket.closed; sent += 2_000) {
    socket.write(body.subarray(sent, sent + 2_000));
    await delay(150);
  }
  const bytesRead = await answer;
  const { status } = parseAnswer(bytesRead);
  return Number.isNaN(status) ? 0 : status;
}
