// A separate program: starts the server, uses it like a person, stops it and prints the responses.
// Usage: node use-everything.ts [options for the server's Node]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from './client.ts';
import { aPdf, customerFields, uploadBody } from './factories.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const admin = { email: 'first@example.com', password: 'a password of some length' };

const dataDir = await mkdtemp(join(tmpdir(), 'customer-database-everything-'));
await chmod(dataDir, 0o755);
const server = spawn(process.execPath, [...process.argv.slice(2), join(root, 'server/src/start/main.ts')], {
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  },
  // When this program dies, its end of the IPC channel closes and the server stops.
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
let output = '';
server.stdout?.on('data', (chunk) => {
  output += chunk;
});
while (!output.includes('Ctrl-C')) {
  if (server.exitCode !== null) throw new Error(`the server ended: ${output}`);
  await Promise.race([once(server.stdout ?? server, 'data'), once(server, 'exit')]);
}
const url = /is running at (http[^\s"]+)/.exec(output)?.[1] ?? '';

const statuses: Record<string, number> = {};
const policies = new Set<string | null>();
async function load(path: string): Promise<void> {
  const response = await fetch(url + path);
  await response.arrayBuffer();
  statuses[path] = response.status;
  policies.add(response.headers.get('content-security-policy'));
}

for await (const file of glob('**/*', { cwd: join(root, 'web/dist'), withFileTypes: true })) {
  const path = join(file.parentPath, file.name).slice(join(root, 'web/dist').length);
  if (file.isFile() && !/\.(br|gz)$|^\/\.stamp$/.test(path)) await load(path);
}
for (const path of ['/', '/login', '/customers', '/health', '/s3/health', '/api/docs/', '/api/docs/json']) {
  await load(path);
}

const { body } = await createClient(url).post('/api/auth/login', admin);
const client = createClient(url, body.token);
const customer = await client.post('/api/customers', customerFields());
const document = await client.post('/api/documents', uploadBody(customer.body.customer.id, {}, aPdf()));
statuses['an upload'] = document.status === 201 ? 200 : document.status;
const link = await client.get(`/api/documents/${document.body.document.id}/download`);
statuses['a download'] = (await fetch(link.body.download_url)).status;
statuses['the dashboard'] = (await client.get('/api/dashboard')).status;
statuses['a search'] = (await client.post('/api/customers/search', { name: 'a' })).status;
statuses['the activity log'] = (await client.get('/api/activity/export')).status;
statuses['a deletion'] = (await client.delete(`/api/documents/${document.body.document.id}`)).status;

server.kill('SIGTERM');
await once(server, 'exit');
await rm(dataDir, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ statuses, policies: [...policies] }));
