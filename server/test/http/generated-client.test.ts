import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { baseEnvironment } from '@customer-database/testkit/base-environment';
import { afterTest } from '@customer-database/testkit/cleanup';
import { download } from '@customer-database/testkit/documents';
import { aPdf, makeCustomer, makeUser, testPassword } from '@customer-database/testkit/factories';
import { startTestApp, type TestApp } from '@customer-database/testkit/test-app';
import { beforeAll, expect, it, vi } from 'vitest';
import { uploadDocumentForm } from '../fixtures/orval-upload.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const generator = join(root, 'server/node_modules/openapi-typescript/bin/cli.js');
const heyApi = join(root, 'server/node_modules/@hey-api/openapi-ts/bin/run.js');
const compiler = join(root, 'node_modules/typescript/bin/tsc');

let app: TestApp;
let description: string;

beforeAll(async () => {
  app = await startTestApp();
  description = JSON.stringify((await app.client().get('/api/docs/json')).body);
});

/** A folder with the example of the documentation, as its readers make it, and a way to run programs there. */
async function makeClient(document: string) {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'));
  afterTest(() => rm(folder, { recursive: true }));
  const run = (args: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...baseEnvironment(), ...env } });
  const settings = { extends: join(root, 'tsconfig.json'), include: ['*.ts'] };
  await Promise.all([
    symlink(join(root, 'node_modules'), join(folder, 'node_modules')),
    copyFile(join(root, 'docs/examples/client.ts'), join(folder, 'client.ts')),
    writeFile(join(folder, 'package.json'), '{ "type": "module" }'),
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings)),
    writeFile(join(folder, 'openapi.json'), document),
  ]);
  await run([generator, 'openapi.json', '--output', 'api.ts', '--default-non-nullable', 'false']);
  return { compile: () => run([compiler, '-p', '.']), run };
}

it('signs in, searches, uploads by form and downloads with a client generated from the description', async () => {
  const admin = await makeUser(app, 'admin');
  const customer = await makeCustomer(admin.client);
  const { compile, run } = await makeClient(description);
  await compile();
  const { stdout } = await run(['client.ts'], {
    API: app.url,
    EMAIL: admin.email,
    PASSWORD: testPassword,
    CUSTOMER: customer.name,
  });
  const answers = JSON.parse(stdout);
  expect(answers).toMatchObject({
    User: { id: admin.id, email: admin.email, role: 'admin' },
    Customer: customer,
    Document: { customer_id: customer.id, filename: 'greeting.txt', file_size: 12 },
    text: 'Good morning',
  });
  const { schemas } = JSON.parse(description).components;
  for (const name of ['User', 'Customer', 'Document']) {
    expect(Object.keys(answers[name]), name).toEqual(schemas[name].required);
  }
});

it('does not compile when the description names a field or a path differently', async () => {
  const names = ['download_url', 'file', '/api/customers/search'];
  const renamed = names.reduce(
    (text, name) => text.replaceAll(`"${name}"`, `"${name}-renamed"`),
    description,
  );
  const { compile } = await makeClient(renamed);
  const { stdout } = await compile().catch((error) => error);
  for (const name of names) expect(stdout).toMatch(new RegExp(`^client\\.ts.*${name}\\b`, 'm'));
});

// Each byte is in it: no text encoding could carry that.
const content = Buffer.concat([aPdf(), Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte))]);
const file = new File([new Uint8Array(content)], 'generated.pdf');

type HeyApi = {
  client: { setConfig(config: { baseUrl: string; auth: () => string }): void };
  uploadDocumentForm(call: { body: { customer_id: number; file: File } }): Promise<{
    data?: { document: { id: number } };
  }>;
};

it('uploads a file as a form with the client that @hey-api/openapi-ts generates', async () => {
  const admin = await makeUser(app, 'admin');
  const customer = await makeCustomer(admin.client);
  const folder = await mkdtemp(join(tmpdir(), 'hey-api-'));
  afterTest(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'openapi.json'), description);
  const args = [
    heyApi,
    '--input',
    join(folder, 'openapi.json'),
    '--output',
    join(folder, 'api'),
    '--no-log-file',
  ];
  await promisify(execFile)(process.execPath, args, { cwd: folder, env: baseEnvironment() });
  const { uploadDocumentForm }: HeyApi = await import(join(folder, 'api/sdk.gen.ts'));
  const { client }: HeyApi = await import(join(folder, 'api/client.gen.ts'));
  client.setConfig({ baseUrl: app.url, auth: () => admin.token });
  const { data } = await uploadDocumentForm({ body: { customer_id: customer.id, file } });
  expect((await download(admin.client, data?.document.id ?? 0)).equals(content)).toBe(true);
});

it('uploads a file as a form with the client that orval generated', async () => {
  const admin = await makeUser(app, 'admin');
  const customer = await makeCustomer(admin.client);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, app.url), init));
  const headers = { authorization: `Bearer ${admin.token}` };
  const { data } = await uploadDocumentForm({ customer_id: customer.id, file }, { headers }).finally(() =>
    vi.unstubAllGlobals(),
  );
  expect((await download(admin.client, data.document.id)).equals(content)).toBe(true);
  // Of more than one type of body, orval would send JSON, with an empty object in place of the file.
  const { requestBody } = JSON.parse(description).paths['/api/documents/upload'].post;
  expect(Object.keys(requestBody.content)).toEqual(['multipart/form-data']);
  const { properties } = requestBody.content['multipart/form-data'].schema;
  expect(Object.keys(properties).sort()).toEqual([
    'customer_id',
    'description',
    'file',
    'filename',
    'mime_type',
    'upload_id',
  ]);
});
