// Runs under the pinned Node next to the server and serves the pages with hot reload.
import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './install.js';

const [port] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${process.env.PORT || 3000}`;

const pages = await createServer({
  root: join(root, 'web'),
  logLevel: 'warn',
  server: {
    host: '127.0.0.1',
    port,
    strictPort: true,
    proxy: { '/api': server, '/health': server, '/s3': server },
  },
});

for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) {
  process.on(event, () => pages.close().finally(() => process.exit(0)));
}

try {
  await pages.listen();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
