import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { notFound } from './errors.ts';

/** Paths within the build. */
export type Pages = ReadonlySet<string>;

/** Programs call these paths: they get 404, never a page. */
const notAPage = /^(api|assets|health|metrics|s3)(\/|$)/;

const hiddenOrCompressed = /(^|\/)\.|\.(br|gz)$/;

async function listFiles(folder: string): Promise<Pages> {
  if (!existsSync(folder)) return new Set();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, '/'));
  return new Set(paths.filter((path) => !hiddenOrCompressed.test(path)));
}

/** Lists the built pages once, so that no spelling of a URL reaches another file. */
export async function openPages(app: FastifyInstance, folder: string): Promise<Pages> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    acceptRanges: false,
    lastModified: false,
    cacheControl: false,
  });
  return listFiles(folder);
}

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Customer Database</title>
<p>The Customer Database server is running, but its pages have not been built.
Run <code>npm run build</code> and start the server again; <code>npm start</code> does both.</p></html>
`;

function sendFile(pages: Pages, reply: FastifyReply, path: string, cacheControl: string): FastifyReply {
  if (!pages.has(path)) return reply.code(503).type('text/html; charset=utf-8').send(notBuilt);
  return reply.header('cache-control', cacheControl).sendFile(path);
}

/** index.html at a URL of the API, with the status of the reply. No cache keeps it. */
export const sendIndexPage = (pages: Pages, reply: FastifyReply) =>
  sendFile(pages, reply, 'index.html', 'no-store');

/** Serves every other path: a file of the build, or index.html for client-side routes. */
export function servePages(app: FastifyInstance, pages: Pages): void {
  app.get<{ Params: { '*': string } }>(
    '/*',
    { config: { access: 'public' }, schema: { hide: true } },
    (request, reply) => {
      const path = request.params['*'];
      if (notAPage.test(path) && !pages.has(path)) throw notFound();
      // The names of assets contain a hash of their content.
      const isAsset = path.startsWith('assets/');
      const cacheControl = isAsset ? 'public, max-age=31536000, immutable' : 'no-cache';
      return sendFile(pages, reply, pages.has(path) ? path : 'index.html', cacheControl);
    },
  );
}
