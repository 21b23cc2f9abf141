// What the same guarantees cost with nothing on top: node:http, pg, argon2. It is told the statements that
// the server sends for each request, and does the same session check, the same statements (prepared where
// the server's are), the same activity rows, the same durable write. It knows no routes, checks no
// input and writes no log.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { verify } from '@node-rs/argon2';
import pg from 'pg';
import type { Kind } from './cases.ts';
import type { Statement } from './recorded.ts';

export type FloorInput = {
  databaseUrl: string;
  poolSize: number;
  documentsFolder: string;
  recorded: Record<string, { kind: Kind; statements: Statement[] }>;
};

type Row = Record<string, unknown>;

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === 20 ? Number : id === 1082 ? (text: string) => text : pg.types.getTypeParser(id, format),
};

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

async function storeDurably(folder: string, key: string, bytes: Buffer): Promise<void> {
  const draft = join(folder, '.tmp', randomUUID());
  const handle = await open(draft, 'wx', 0o600);
  await handle.writeFile(bytes);
  await handle.sync();
  await handle.close();
  const target = join(folder, key);
  await mkdir(dirname(target), { recursive: true });
  await rename(draft, target);
  for (let parent = dirname(target); parent.length >= folder.length; parent = dirname(parent))
    await sync(parent);
}

/** What has to be new each time. */
function freshValues(statement: Statement): unknown[] {
  const values = statement.values.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value));
  if (statement.text.startsWith('insert into "sessions"')) {
    return values.map((value) => (Buffer.isBuffer(value) ? randomBytes(32) : value));
  }
  if (!statement.text.startsWith('insert into "documents"')) return values;
  return values.map((value) =>
    typeof value === 'string' && /^documents\/|\.pdf$/.test(value) ? `${value}-${randomUUID()}` : value,
  );
}

function start({ databaseUrl, poolSize, documentsFolder, recorded }: FloorInput): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, types });
  pool.on('error', () => undefined);

  async function runAll(statements: Statement[], request: IncomingMessage): Promise<Row[][]> {
    const client = await pool.connect();
    const results: Row[][] = [];
    try {
      for (const [index, statement] of statements.entries()) {
        const values = freshValues(statement);
        const token = request.headers.authorization?.slice('Bearer '.length);
        if (index === 0 && token) values[0] = createHash('sha256').update(token).digest();
        const { rows } = await client.query({ text: statement.text, name: statement.name ?? '', values });
        if (index === 0 && token && rows.length === 0) throw new Error('not signed in');
        results.push(rows);
      }
    } finally {
      client.release();
    }
    return results;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { kind, statements } = recorded[String(request.headers['x-request'])] ?? {
      kind: 'read',
      statements: [],
    };
    const json = (status: number, body: unknown) => {
      const text = JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    };
    if (kind === 'download') {
      const rows = (await runAll(statements, request)).flat();
      const document = rows.find((row) => row.storage_key !== undefined);
      response.writeHead(200, {
        'content-type': 'application/pdf',
        'content-length': Number(document?.file_size),
      });
      createReadStream(join(documentsFolder, String(document?.storage_key))).pipe(response);
      return;
    }
    if (kind === 'upload') {
      const input = JSON.parse((await readBody(request)).toString('utf8'));
      const bytes = Buffer.from(input.file_data, 'base64');
      createHash('sha256').update(bytes).digest();
      await storeDurably(documentsFolder, `documents/floor/${randomUUID()}`, bytes);
      json(201, (await runAll(statements, request)).at(-2));
      return;
    }
    if (kind === 'sign-in') {
      const input = JSON.parse((await readBody(request)).toString('utf8'));
      const rows = (await runAll(statements, request)).flat();
      const user = rows.find((row) => typeof row.password_hash === 'string');
      if (!(await verify(String(user?.password_hash), input.password))) throw new Error('wrong password');
      json(200, { user: user?.email });
      return;
    }
    if (request.method === 'POST') JSON.parse((await readBody(request)).toString('utf8'));
    json(200, (await runAll(statements, request)).slice(1));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(error.message);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
}

process.once('message', (input: FloorInput) => start(input));
process.once('disconnect', () => process.exit(0));
