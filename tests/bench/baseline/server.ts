// The simplest program with the same answers: node:http, pg and one SQL file per question, with the same session
// check, activity rows and durable writes. It validates no input and writes no log.
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { verify } from '@node-rs/argon2';
import pg from 'pg';

export type BaselineInput = { databaseUrl: string; poolSize: number; documentsFolder: string };

type Row = Record<string, unknown>;
type Values = Record<string, unknown>;
type Statement = { name: string; text: string; parameters: string[] };

/** Statements end with a semicolon; `:name` is the value of that name in the request. */
function statementsIn(file: string): Statement[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8').replaceAll(/^--.*$/gm, '');
  return text
    .split(/;\s*$/m)
    .filter((statement) => statement.trim() !== '')
    .map((statement, index) => {
      const parameters = [
        ...new Set([...statement.matchAll(/(?<!:):([a-z_0-9]+)/g)].map(([, name = '']) => name)),
      ];
      const numbered = statement.replaceAll(
        /(?<!:):([a-z_0-9]+)/g,
        (_, name: string) => `$${parameters.indexOf(name) + 1}`,
      );
      return { name: `${file} ${index}`, text: numbered, parameters };
    });
}

const questions = new Map(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => [file.replace('.sql', ''), statementsIn(file)]),
);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === 20 ? Number : id === 1082 ? (text: string) => text : pg.types.getTypeParser(id, format),
};

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

async function readBody(request: IncomingMessage): Promise<Values> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
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

/** A phrase in quotes, or beginnings of words, some of which may be excluded. */
function tsqueriesOf(q: string) {
  const phrase = q.slice(1, -1).split(' ');
  if (q.startsWith('"'))
    return { words: phrase.join(' & '), phrase: phrase.join(' <-> '), any: phrase.join(' <-> ') };
  const terms = q.split(' ').map((word) => (word.startsWith('-') ? `!${word.slice(1)}:*` : `${word}:*`));
  const wanted = terms.filter((term) => !term.startsWith('!'));
  return { words: terms.join(' & '), phrase: null, any: wanted.join(' | ') };
}

const key = randomBytes(32);

const hmac = (text: string) => createHmac('sha256', key).update(text);

/** A path that its reader can open without a token for a quarter of an hour. */
function signedLink(row: Row, purpose: string, { user_id }: Values): string {
  const expires = Math.floor(Date.now() / 1000) + 15 * 60;
  const text = [row.id, user_id, purpose, expires].join('\n');
  const signature = hmac(text).digest('base64url');
  return `/api/documents/${row.id}/${purpose}?user=${user_id}&expires=${expires}&signature=${signature}`;
}

function valuesIn({ url = '', headers }: IncomingMessage, body: Values): Values {
  const { pathname, searchParams } = new URL(url, 'http://baseline');
  const query = Object.fromEntries(searchParams);
  const page = Number(query.page ?? 1);
  const request_id = randomUUID();
  return {
    limit: 500,
    ...(query.q && tsqueriesOf(query.q)),
    id: /\d+/.exec(pathname)?.[0],
    user_id: query.user,
    ...query,
    offset: (page - 1) * Number(query.limit),
    ...body,
    token_hash: headers.authorization
      ? sha256(headers.authorization.slice('Bearer '.length))
      : randomBytes(32),
    request_id,
    // Each activity row is signed, as the server's are.
    salt: randomBytes(16),
    mac: hmac(request_id).digest(),
  };
}

function start({ databaseUrl, poolSize, documentsFolder }: BaselineInput): void {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize, types });
  pool.on('error', () => undefined);

  async function run(question: string, values: Values): Promise<Row[][]> {
    const client = await pool.connect();
    const results: Row[][] = [];
    try {
      for (const { name, text, parameters } of questions.get(question) ?? []) {
        const { rows } = await client.query({ name, text, values: parameters.map((each) => values[each]) });
        results.push(rows);
      }
    } finally {
      client.release();
    }
    return results;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = String(request.headers['x-question']);
    const body = request.method === 'POST' ? await readBody(request) : {};
    const values = valuesIn(request, body);
    if (request.headers.authorization) {
      const [[user] = []] = await run('session', values);
      if (!user) throw new Error('not signed in');
      Object.assign(values, { user_id: user.id, user_name: user.name });
    }
    if (question === 'upload') {
      const bytes = Buffer.from(String(body.file_data), 'base64');
      const storage_key = `documents/baseline/${randomUUID()}`;
      Object.assign(values, { storage_key, sha256: sha256(bytes), file_size: bytes.length });
      await storeDurably(documentsFolder, storage_key, bytes);
    }
    const results = await run(question, values);
    if (
      question === 'sign-in' &&
      !(await verify(String(results[0]?.[0]?.password_hash), String(body.password)))
    ) {
      throw new Error('wrong password');
    }
    if (question === 'download') {
      const document = results[1]?.[0];
      response.writeHead(200, {
        'content-type': 'application/pdf',
        'content-length': Number(document?.file_size),
      });
      createReadStream(join(documentsFolder, String(document?.storage_key))).pipe(response);
      return;
    }
    for (const row of results.flat()) {
      if (row.has_thumbnail) row.thumbnail_url = signedLink(row, 'thumbnail', values);
      if (question === 'link') row.download_url = signedLink(row, 'download', values);
    }
    const text = JSON.stringify(results);
    response.writeHead(question === 'upload' ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
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

process.once('message', (input: BaselineInput) => start(input));
process.once('disconnect', () => process.exit(0));
