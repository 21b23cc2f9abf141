// A separate program: starts the server, uses it like a person, stops it and prints the responses.
// Usage: node use-everything.ts [options for the server's Node]
import { chmod, glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@customer-database/testkit/client';
import { aPdf, customerFields, uploadBody } from '@customer-database/testkit/factories';
import { createServer } from '@customer-database/testkit/killable-server';

const dist = fileURLToPath(new URL('../../../web/dist', import.meta.url));
const admin = { email: 'first@example.com', password: 'a password of some length' };

const folder = await mkdtemp(join(tmpdir(), 'customer-database-everything-'));
await chmod(folder, 0o755);
const env = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  NODE_OPTIONS: process.argv.slice(2).join(' '),
  CONNECTIONS_FILE: process.env.CONNECTIONS_FILE ?? '',
};
const server = await createServer({ folder, env });
await server.start();

const statuses: Record<string, number> = {};
const policies = new Set<string | null>();
async function load(path: string): Promise<void> {
  const response = await fetch(server.url + path);
  await response.arrayBuffer();
  statuses[path] = response.status;
  policies.add(response.headers.get('content-security-policy'));
}

for await (const file of glob('**/*', { cwd: dist, withFileTypes: true })) {
  const path = join(file.parentPath, file.name).slice(dist.length);
  if (file.isFile() && !/\.(br|gz)$|^\/\.stamp$/.test(path)) await load(path);
}
for (const path of ['/', '/login', '/customers', '/health', '/s3/health', '/api/docs/', '/api/docs/json']) {
  await load(path);
}

const { body } = await createClient(server.url).post('/api/auth/login', admin);
const client = createClient(server.url, body.token);
const customer = await client.post('/api/customers', customerFields());
const document = await client.post('/api/documents', uploadBody(customer.body.customer.id, {}, aPdf()));
statuses['an upload'] = document.status === 201 ? 200 : document.status;
const link = await client.get(`/api/documents/${document.body.document.id}/download`);
statuses['a download'] = (await fetch(link.body.download_url)).status;
statuses['the dashboard'] = (await client.get('/api/dashboard')).status;
statuses['a search'] = (await client.post('/api/customers/search', { name: 'a' })).status;
statuses['the activity log'] = (await client.get('/api/activity/export')).status;
statuses['a deletion'] = (await client.delete(`/api/documents/${document.body.document.id}`)).status;

await server.terminate();
await rm(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ statuses, policies: [...policies] }));
