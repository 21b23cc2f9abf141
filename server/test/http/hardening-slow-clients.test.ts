import { setTimeout as delay } from 'node:timers/promises';
import {
  makeCustomer,
  makeDocument,
  makeUser,
  type TestUser,
  uploadBody,
} from '@customer-database/testkit/factories';
import { waitForUploads } from '@customer-database/testkit/metrics';
import { expectProblem } from '@customer-database/testkit/problems';
import { openSocket, parseAnswer, type RawAnswer, readToEnd } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let app: TestApp;
let admin: TestUser;

beforeAll(async () => {
  app = await startTestApp({ env: { REQUEST_TIMEOUT_SECONDS: '1' } });
  admin = await makeUser(app, 'admin');
});

/** Sends the beginning at once and then a byte at a time, until the server hangs up. */
async function dribble(beginning: string, { url } = app): Promise<{ answer: RawAnswer; seconds: number }> {
  const started = performance.now();
  const socket = await openSocket(url);
  const answer = readToEnd(socket);
  socket.write(beginning);
  while (!socket.destroyed) {
    if (performance.now() - started > 15_000) socket.destroy();
    await delay(100);
    if (socket.writable) socket.write('x');
  }
  return { answer: parseAnswer(await answer), seconds: (performance.now() - started) / 1000 };
}

function expectClosed({ answer, seconds }: { answer: RawAnswer; seconds: number }, timeoutSeconds = 1): void {
  expect(seconds).toBeLessThan(timeoutSeconds + 4);
  expectProblem({ ...answer, body: JSON.parse(answer.body) }, 408, 'MALFORMED_REQUEST');
}

const startOfUpload = (token: string) =>
  [
    'POST /api/documents HTTP/1.1',
    'host: x',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    'content-length: 1000000',
    '',
    '{',
  ].join('\r\n');

describe('a slow client is disconnected:', () => {
  it('in its headers, its request line or its body, and when it sends nothing at all', async () => {
    const head = 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    const beginnings = [
      'GET /health HTTP/1.1\r\nhost: x\r\nx-slow: ',
      'GET /',
      `${head}content-length: 1000\r\n\r\n{`,
    ];
    const started = performance.now();
    const silent = openSocket(app.url).then(readToEnd);
    for (const result of await Promise.all(beginnings.map((text) => dribble(text)))) expectClosed(result);
    await silent;
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('in an upload, and others can upload at once', async () => {
    // A queued upload waits half as long, so it gets its error before the slow ones are disconnected.
    const timeoutSeconds = 4;
    const patient = await startTestApp({ env: { REQUEST_TIMEOUT_SECONDS: `${timeoutSeconds}` } });
    const { client, token } = await makeUser(patient, 'admin');
    const customer = await makeCustomer(client);
    const slowUploads = Promise.all(Array.from({ length: 4 }, () => dribble(startOfUpload(token), patient)));
    await waitForUploads(patient, 4);
    // It gets 503 and is not disconnected with them.
    const waiting = await client.post('/api/documents', uploadBody(customer.id));
    expectProblem(waiting, 503, 'BUSY');
    expect(waiting.headers.get('retry-after')).toBe('5');
    for (const result of await slowUploads) expectClosed(result, timeoutSeconds);
    await makeDocument(client, customer.id);
  });

  it('when it does not read its response', async () => {
    // Uploaded through a patient server: on a busy machine it takes longer than this one allows.
    const { databaseUrl, deps } = app;
    const patient = await startTestApp({ databaseUrl, dataDir: deps.config.dataDir });
    const customer = await makeCustomer(admin.client);
    const text = Buffer.alloc(10 * 1024 * 1024, 'A line of text.\n');
    const fields = { filename: 'large.txt', mime_type: 'text/plain' };
    const document = await makeDocument(patient.client(admin.token), customer.id, fields, text);
    const { body } = await admin.client.get(`/api/documents/${document.id}/download`);
    const { pathname, search } = new URL(body.download_url);
    const connections = () =>
      new Promise<number>((resolve) => app.app.server.getConnections((_, count) => resolve(count)));
    app.app.server.closeIdleConnections();
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 5_000 });
    const socket = await openSocket(app.url);
    socket.pause();
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await vi.waitFor(async () => expect(await connections()).toBe(1), 10_000);
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 8_000 });
    socket.destroy();
  });

  it('while others are served', async () => {
    const slow = Array.from({ length: 50 }, () => dribble('GET /health HTTP/1.1\r\nhost: x\r\nx-slow: '));
    const started = performance.now();
    for (let round = 0; round < 5; round++) {
      expect((await admin.client.get('/api/customers')).status).toBe(200);
    }
    expect(performance.now() - started).toBeLessThan(3_000);
    for (const result of await Promise.all(slow)) expectClosed(result);
  });
});
