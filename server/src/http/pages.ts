import { createHash } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from './errors.ts';

/** In order of preference: the smaller one first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

type PageFile = {
  headers: Record<string, string>;
  body: Buffer;
  compressed: { encoding: string; body: Buffer }[];
};

/** By path. */
export type Pages = ReadonlyMap<string, PageFile>;

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Programs call these paths: they get 404, never a page. */
const notAPage = /^(api|assets|health|metrics|s3)(\/|$)/;

/** Excludes hidden files and compressed variants. */
function isPublic(path: string): boolean {
  const isHidden = path.split('/').some((part) => part.startsWith('.'));
  return !isHidden && !encodings.some(({ extension }) => path.endsWith(extension));
}

async function listFiles(folder: string): Promise<Dirent[]> {
  if (!existsSync(folder)) return [];
  return (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
}

async function readPageFile(folder: string, path: string, all: Set<string>): Promise<PageFile> {
  const body = await readFile(join(folder, path));
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const present = encodings.filter(({ extension }) => all.has(path + extension));
  return {
    headers: {
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
      // These names contain a hash of the content.
      'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      // Weak, because it stands for all encodings.
      etag: `W/"${hash}"`,
    },
    body,
    compressed: await Promise.all(
      present.map(async ({ name, extension }) => ({
        encoding: name,
        body: await readFile(join(folder, path + extension)),
      })),
    ),
  };
}

/**
 * Reads the built pages once: a new build does not affect a running server, and no spelling of a
 * URL reaches other files.
 */
export async function readPages(folder: string): Promise<Pages> {
  const files = await listFiles(folder);
  const all = new Set(
    files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/')),
  );
  const paths = [...all].filter(isPublic);
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readPageFile(folder, path, all)] as const)),
  );
}

function acceptsEncoding(request: FastifyRequest, encoding: string): boolean {
  const wanted = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  return wanted.split(',').some((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

function isNotModified(request: FastifyRequest, etag: string | undefined): boolean {
  const known = (request.headers['if-none-match'] ?? '').split(',').map((entry) => entry.trim());
  return known.some((entry) => entry === '*' || entry === etag);
}

function sendBody(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  if (file.compressed.length > 0) {
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  }
  const smaller = file.compressed.find(({ encoding }) => acceptsEncoding(request, encoding));
  if (smaller) reply.header('content-encoding', smaller.encoding);
  return reply.send(smaller?.body ?? file.body);
}

function sendPageFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.headers(file.headers);
  if (isNotModified(request, file.headers.etag)) return reply.code(304).send();
  return sendBody(request, reply, file);
}

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Customer Database</title>
<p>The Customer Database server is running, but its pages have not been built.
Run <code>npm run build</code> and start the server again; <code>npm start</code> does both.</p></html>
`;

const sendNotBuilt = (reply: FastifyReply) => reply.code(503).type('text/html; charset=utf-8').send(notBuilt);

/** index.html at an address of the API, with the status of the reply. No cache keeps it. */
export function sendIndexPage(pages: Pages, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const page = pages.get('index.html');
  if (!page) return sendNotBuilt(reply);
  return sendBody(request, reply.type('text/html; charset=utf-8').header('cache-control', 'no-store'), page);
}

/** Serves every other path: a file of the build, or index.html for client-side routes. */
export function servePages(app: FastifyInstance, pages: Pages): void {
  app.get<{ Params: { '*': string } }>(
    '/*',
    { config: { access: 'public' }, schema: { hide: true } },
    (request, reply) => {
      const path = request.params['*'];
      const file = pages.get(path);
      if (file) return sendPageFile(request, reply, file);
      if (notAPage.test(path)) throw notFound();
      const page = pages.get('index.html');
      if (page) return sendPageFile(request, reply, page);
      return sendNotBuilt(reply);
    },
  );
}
