import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Answer } from '@customer-database/testkit/client';
import { makeCustomer, makeUser, type TestUser, uploadBody } from '@customer-database/testkit/factories';
import { expectProblem } from '@customer-database/testkit/problems';
import {
  openSocket,
  parseAnswer,
  type RawAnswer,
  readToEnd,
  sendBytes,
  sendRaw,
} from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it, vi } from 'vitest';

let app: TestApp;
let admin: TestUser;
let customerId: number;

beforeAll(async () => {
  app = await startTestApp();
  admin = await makeUser(app, 'admin');
  customerId = (await makeCustomer(admin.client)).id;
});

const read = (answer: RawAnswer): Answer => ({ ...answer, body: JSON.parse(answer.body) });

describe('a malformed request', () => {
  it.each([
    ['no HTTP', 'hello there\r\n\r\n'],
    ['TLS', Buffer.from('16030100f8010000f40303', 'hex')],
    ['an unknown method', 'FOO / HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n'],
    ['bytes in the address', Buffer.from('GET /\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n', 'latin1')],
    ['a NUL in the address', 'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nhost: x\r\nnonsense\r\n\r\n'],
    ['a blank before the colon', 'GET / HTTP/1.1\r\nhost: x\r\ncontent-length : 5\r\n\r\nhello'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n'],
    ['an endless length', `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${'9'.repeat(30)}\r\n\r\n`],
    ['an unknown coding', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, x\r\n\r\n'],
  ])('(%s) gets a normal error, and the server keeps running', async (_, bytes) => {
    expectProblem(read(await sendBytes(app.url, bytes)), 400, 'MALFORMED_REQUEST');
    expect((await app.client().get('/health')).body).toEqual({ status: 'OK' });
  });

  it('(an invalid chunk size) is refused in the body of a call as well', async () => {
    const head = 'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    const answer = await sendBytes(app.url, `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`);
    expect(answer.status).toBe(400);
    expect((await app.client().get('/health')).status).toBe(200);
  });

  it('(headers of more than 16 KB) gets its own error', async () => {
    const fits = await sendRaw(app.url, { target: '/health', headers: { x: 'y'.repeat(12_000) } });
    expect(fits.status).toBe(200);
    for (const value of ['y'.repeat(17_000), 'y'.repeat(100_000)]) {
      const answer = read(await sendRaw(app.url, { target: '/health', headers: { x: value } }));
      expectProblem(answer, 431, 'MALFORMED_REQUEST');
      expect(answer.body.error).toBe('The headers of the request are too large');
    }
  });

  it('(an upgrade or a tunnel) opens nothing', async () => {
    const upgrade = { connection: 'close, upgrade', upgrade: 'websocket' };
    expect((await sendRaw(app.url, { target: '/api/customers', headers: upgrade })).status).toBe(401);
    const tunnel = await sendBytes(app.url, 'CONNECT 127.0.0.1:5432 HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(tunnel.status).not.toBe(200);
    expect((await app.client().get('/health')).status).toBe(200);
  });
});

describe('an unknown route', () => {
  it.each([
    ['GET', '/api/nowhere'],
    ['POST', '/nowhere'],
    ['DELETE', '/'],
    ['GET', '/api'],
    ['POST', '/api/nothing'],
    ['PATCH', '/api/customers/1'],
    ['POST', '/api/customers/1'],
    ['DELETE', '/api/customers'],
    ['GET', '/api/auth/login'],
    ['PUT', '/health'],
    ['TRACE', '/api/customers'],
    ['PROPFIND', '/'],
    ['OPTIONS', '/api/customers'],
  ])('%s %s gets a normal 404', async (method, target) => {
    const answer = await sendRaw(app.url, {
      method,
      target,
      headers: { authorization: `Bearer ${admin.token}` },
    });
    expectProblem(read(answer), 404, 'NOT_FOUND');
  });
});

describe('a connection', () => {
  it('serves several requests in turn', async () => {
    const socket = await openSocket(app.url);
    const answer = readToEnd(socket);
    socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\nGET /api/nowhere HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.write('GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    const statuses = [...(await answer).toString().matchAll(/HTTP\/1\.1 (\d+) /g)].map(
      ([, status]) => status,
    );
    expect(statuses).toEqual(['200', '404', '200']);
  });

  it('without a request is closed after a timeout, which a header announces', async () => {
    const own = await startTestApp();
    const ask = (socket: Socket) => socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    const open = await openSocket(own.url);
    ask(open);
    const [answer] = await once(open, 'data');
    expect(parseAnswer(answer).headers.get('keep-alive')).toBe('timeout=72');
    open.destroy();
    own.app.server.keepAliveTimeout = 500;
    const idle = await openSocket(own.url);
    const started = performance.now();
    ask(idle);
    expect(parseAnswer(await readToEnd(idle)).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(400);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('has by default 20 seconds for its headers and two minutes for a whole request', () => {
    const { headersTimeout, requestTimeout } = app.app.server;
    expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 20_000, requestTimeout: 120_000 });
  });

  it('that is idle gets 503 for its next request during a shutdown', async () => {
    const own = await startTestApp();
    const socket = await openSocket(own.url);
    const answer = readToEnd(socket);
    await vi.waitFor(
      () =>
        new Promise<void>((resolve, reject) =>
          own.app.server.getConnections((_, count) => (count > 0 ? resolve() : reject(new Error('not yet')))),
        ),
      10_000,
    );
    const closing = own.app.close();
    await vi.waitFor(() => expect(own.app.server.listening).toBe(false), 10_000);
    socket.write('GET /api/customers HTTP/1.1\r\nhost: x\r\n\r\n');
    const refused = read(parseAnswer(await answer));
    expectProblem(refused, 503, 'BUSY');
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('connection')).toBe('close');
    await closing;
  });
});

describe('concurrent uploads', () => {
  const head = () =>
    [
      'POST /api/documents HTTP/1.1',
      'host: x',
      `authorization: Bearer ${admin.token}`,
      'content-type: application/json',
      'connection: close',
      'content-length: 1000000',
      '',
      '',
    ].join('\r\n');
  const begin = async (): Promise<Socket> => {
    const socket = await openSocket(app.url);
    socket.write(head());
    return socket;
  };

  it('beyond the concurrency limit wait and are served', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => admin.client.post('/api/documents', uploadBody(customerId))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(12).fill(201));
    const names = answers.map(({ body }) => body.document.filename);
    expect(new Set(names).size).toBe(12);
  });

  it('beyond the queue get 503, while the others and everything else continue', async () => {
    const held = await Promise.all(Array.from({ length: 64 }, begin));
    const refused = await vi.waitFor(
      async () => {
        const socket = await begin();
        const closed = new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
        const bytes = await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1_000))]);
        socket.destroy();
        expect(bytes).toBeInstanceOf(Buffer);
        return parseAnswer(bytes as Buffer);
      },
      { timeout: 20_000 },
    );
    expectProblem(read(refused), 503, 'BUSY');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await admin.client.get('/api/documents')).status).toBe(200);
    expect((await admin.client.post('/api/customers/search', {})).status).toBe(200);
    for (const socket of held) socket.destroy();
    const answer = await admin.client.post('/api/documents', uploadBody(customerId));
    expect(answer.status).toBe(201);
  });
});
