import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { builtFiles, hiddenText } from '@customer-database/testkit/pages';
import { expectProblem } from '@customer-database/testkit/problems';
import { sendRaw } from '@customer-database/testkit/raw-http';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, describe, expect, it } from 'vitest';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

const page = builtFiles['/index.html'] ?? '';
const script = '/assets/app-1a2b3c.js';

/** No client that would decode the response or normalise the URL. */
async function ask(target: string, headers: Record<string, string> = {}, method = 'GET') {
  return sendRaw(app.url, { method, target, headers });
}

/** Node's fetch would decode the response, and sendRaw would read bytes as text. */
async function fetchBytes(path: string, accepted: string) {
  return new Promise<{ headers: Headers; text: string }>((resolve, reject) => {
    get(new URL(path, app.url), { headers: { 'accept-encoding': accepted } }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      const headers = new Headers(response.headers as Record<string, string>);
      const encoding = headers.get('content-encoding');
      const decoded =
        encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
      resolve({ headers, text: decoded.toString() });
    }).once('error', reject);
  });
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  webmanifest: 'application/manifest+json',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};

describe('a file of the build', () => {
  it.each(Object.entries(builtFiles))('%s is served with its type and may be cached', async (path, text) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(text);
    expect(answer.headers.get('content-type')).toBe(types[path.split('.').at(-1) ?? '']);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe(
      path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    expect(answer.headers.get('etag')).toMatch(/^W\/"[\w-]+"$/);
  });

  it('answers HEAD', async () => {
    const [whole, head] = [await ask(script), await ask(script, {}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    for (const name of ['content-length', 'content-type', 'cache-control', 'etag', 'vary']) {
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
    }
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR;q=0.1, gzip;q=1.0', 'gzip'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.000 ,gzip', 'gzip'],
    ['identity', null],
    ['zstd, brotli, x-gzip', null],
    ['br;q=0, gzip;q=0', null],
  ])('is compressed as the client accepts it: %s', async (accepted, encoding) => {
    for (const [path, text] of [
      [script, builtFiles[script]],
      ['/customers/1', page],
    ] as const) {
      const answer = await fetchBytes(path, accepted);
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toBe('accept-encoding');
      expect(answer.text, path).toBe(text);
    }
  });

  it('that has no compressed copy is sent as it is', async () => {
    const answer = await ask('/assets/inter-4d5e6f.woff2', { 'accept-encoding': 'br, gzip' });
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.body).toBe(builtFiles['/assets/inter-4d5e6f.woff2']);
  });

  it('also varies by origin where CORS is on', async () => {
    const open = await startTestApp({ env: { CORS_ORIGINS: 'https://app.example.com' } });
    expect((await open.client().get(script)).headers.get('vary')).toBe('Origin, accept-encoding');
  });

  it('is not sent again to clients that have it', async () => {
    for (const path of ['/', '/customers/1', '/theme.js', script]) {
      const etag = (await ask(path, { 'accept-encoding': 'br' })).headers.get('etag') ?? '';
      for (const known of [etag, `"other", ${etag}`, '*']) {
        const answer = await ask(path, { 'if-none-match': known, 'accept-encoding': 'br' });
        expect(answer.status, `${path} ${known}`).toBe(304);
        expect(answer.body).toBe('');
        expect(answer.headers.get('etag')).toBe(etag);
        expect(answer.headers.get('cache-control')).not.toBe('no-store');
      }
      expect((await ask(path, { 'if-none-match': 'W/"other"' })).status).toBe(200);
    }
  });
});

describe('the page', () => {
  it.each([
    '/',
    '/login',
    '/dashboard?from=mail',
    '/customers/1/edit',
    '/documents/upload',
    '/no/such/screen',
    '/customers/%E4%B8%AD',
    `/${'long/'.repeat(60)}`,
    '/apiary',
    '/healthy',
    '/assets-of-the-company',
  ])('is served for %s, and routes to the screen itself', async (target) => {
    const answer = await ask(target, { accept: 'text/html' });
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(page);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/customers/1/nope',
    '/api%2fnope',
    '/%61pi/nope',
    '/health/nope',
    '/s3',
    '/s3/nope',
    '/assets',
    '/assets/',
    '/assets/nope.js',
    '/assets/app-1a2b3c.js/',
  ])('is not served for %s, which gets a 404', async (target) => {
    for (const accept of ['*/*', 'text/html']) {
      const answer = await ask(target, { accept });
      expectProblem({ ...answer, body: JSON.parse(answer.body) }, 404, 'NOT_FOUND');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect((await ask(target, {}, 'HEAD')).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('is never the answer to a %s', async (method) => {
    for (const target of ['/', '/login', '/no/such/screen', script]) {
      const answer = await ask(target, {}, method);
      expectProblem({ ...answer, body: JSON.parse(answer.body) }, 404, 'NOT_FOUND');
    }
  });
});

describe('nothing else is served', () => {
  const outside = ['beside.txt', 'secret.key', 'package.json', 'etc/passwd'];
  const ways = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '%252e%252e%252f', './../', '//'];
  const up = ways.flatMap((way) => outside.flatMap((name) => [way + name, `assets/${way}${way}${name}`]));

  it.each([
    ['what lies outside of the folder', up],
    [
      'hidden files',
      ['.stamp', '.well-hidden/note.txt', 'assets/.keep', '%2estamp', '.stamp%00', '.stamp/', '.'],
    ],
    [
      'compressed files by their names',
      ['index.html.br', 'index.html.gz', 'assets/app-1a2b3c.js.br', 'theme.js%2egz'],
    ],
    ['folders', ['assets', 'assets/', 'assets/.', '.well-hidden', '.well-hidden/']],
    ['odd names', ['%00', 'theme.js%00', 'theme.js%00.html', 'THEME.JS', 'constructor', '__proto__']],
  ])('%s', async (_, targets) => {
    for (const encoding of ['identity', 'br, gzip']) {
      const { etag } = Object.fromEntries((await ask('/', { 'accept-encoding': encoding })).headers);
      for (const target of targets) {
        const answer = await ask(`/${target}`, { 'accept-encoding': encoding });
        if (answer.status === 200) expect(answer.headers.get('etag'), target).toBe(etag);
        else expect([400, 404], target).toContain(answer.status);
        expect(answer.body, target).not.toContain(hiddenText);
      }
    }
  });
});

describe('a server without a build', () => {
  it('starts, serves its calls, and says on every page what to do', async () => {
    const bare = (await startTestApp({ webDir: '/nowhere/dist' })).client();
    for (const path of ['/', '/login', '/customers/1']) {
      const answer = await bare.get(path);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.body).toContain('npm run build');
    }
    expect((await bare.get('/health')).status).toBe(200);
    expect((await bare.get('/assets/app.js')).status).toBe(404);
  });
});
