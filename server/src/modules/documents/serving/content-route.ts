import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { documentTypes } from '@customer-database/contract/documents';
import { idParams } from '@customer-database/contract/fields';
import type { FastifyError, FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import parseRange from 'range-parser';
import { z } from 'zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf } from '../../../http/context.ts';
import { AppError, fieldError, sendError, statusOf, toAppError } from '../../../http/errors.ts';
import { fileBody } from '../../../http/operation.ts';
import { type Pages, sendIndexPage } from '../../../http/pages.ts';
import { type ByteRange, ObjectMissingError } from '../../../storage/port.ts';
import type { DocumentRow } from '../repo.ts';
import { checksumOf, createIntegrityCheck, type IntegrityCheck } from './integrity.ts';
import { brokenLink, linkFields } from './link-query.ts';
import { contentTypeOf, dispositionOf, openLink, openLinkToContent, storeLink } from './links.ts';
import { opensInTab } from './navigation.ts';
import { sendPreview } from './preview-content.ts';
import { waitForFirstBytes } from './wait-for-bytes.ts';

const linkQuery = z.strictObject({
  purpose: z.enum(['download', 'view'], { error: brokenLink }),
  as: z
    .enum(['attachment', 'preview'], { error: brokenLink })
    .optional()
    .describe('For a view link: downloads the document, or gets its preview if that is ready'),
  ...linkFields,
});

/** Clients follow the redirect at once, so its URL can expire before the link does. */
const redirectSeconds = 60;

/** No scripts, forms or external content. Chromium's PDF viewer runs scripts in spite of this. */
const documentCsp =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const content = Object.fromEntries(Object.values(documentTypes).map((type) => [type, { schema: fileBody }]));

const etagOf = (document: DocumentRow) => `"${document.sha256.toString('hex')}"`;

/** The single range of a GET; a request for several gets the whole document. */
function requestedRange(
  method: string,
  headers: IncomingHttpHeaders,
  document: DocumentRow,
): ByteRange | undefined {
  const { range: header, 'if-range': ifRange } = headers;
  if (method !== 'GET' || header === undefined) return undefined;
  if (ifRange !== undefined && ifRange !== etagOf(document)) return undefined;
  // A suffix longer than the document: the standard demands the whole document, but the parser refuses.
  if (Number(/^bytes=-(\d+)$/.exec(header)?.[1]) > document.file_size) {
    return { start: 0, end: document.file_size - 1 };
  }
  const ranges = parseRange(document.file_size, header);
  if (ranges === -1) throw new AppError('RANGE_NOT_SATISFIABLE', 'The document is shorter than the range');
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/**
 * Runs before the headers are sent, so that a missing or damaged object is an error and not a shorter document. The
 * checksum of a large object is known only at its end: if it differs, the last bytes are not sent.
 */
async function openObject(
  deps: Deps,
  expectIntact: IntegrityCheck,
  method: string,
  document: DocumentRow,
  range: ByteRange | undefined,
): Promise<Readable> {
  const { storage_key, file_size: size } = document;
  if (method === 'HEAD') {
    const stored = await deps.storage.head(storage_key);
    if (stored?.size !== size) throw new ObjectMissingError(storage_key);
    return Readable.from([]);
  }
  // The checksum of the whole object cannot verify a range.
  if (range) await expectIntact(document);
  const body = await deps.storage.get(storage_key, { range, size, checksum: checksumOf(document) });
  await waitForFirstBytes(body);
  return body;
}

function setHeaders(reply: FastifyReply, document: DocumentRow, purpose: 'download' | 'view'): void {
  reply
    .header('content-type', contentTypeOf(document))
    .header('content-disposition', dispositionOf(document, purpose))
    .header('content-security-policy', documentCsp)
    .header('accept-ranges', 'bytes')
    .header('etag', etagOf(document))
    .header('cache-control', 'no-store');
}

export function documentContentRoute(deps: Deps, pages: Pages): FastifyPluginAsyncZod {
  const expectIntact = createIntegrityCheck(deps);
  return async (app) => {
    // In a browser tab, a page explains why the link does not work.
    app.setErrorHandler<FastifyError>((thrown, request, reply) => {
      const error = toAppError(thrown);
      if (!opensInTab(request)) return sendError(request, reply, error);
      return sendIndexPage(pages, reply.code(statusOf[error.code]));
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id/content',
      config: {
        access: 'link',
        errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE', 'DOCUMENT_DAMAGED', 'STORAGE_UNAVAILABLE'],
      },
      schema: {
        operationId: 'downloadDocument',
        tags: ['Documents'],
        summary: 'Get the bytes of a document with a valid link',
        params: idParams,
        querystring: linkQuery,
        response: { 200: { content }, 206: { content } },
      },
      handler: async (request, reply) => {
        const ctx = contextOf(deps, request);
        const link = { documentId: request.params.id, ...request.query };
        if (opensInTab(request)) {
          // Not recorded as a view, because the viewer fetches the document in another request.
          await openLink(ctx, link);
          return sendIndexPage(pages, reply);
        }
        if (link.as === 'preview') {
          if (link.purpose !== 'view') throw fieldError('as', brokenLink);
          return sendPreview(ctx, link, reply.header('content-security-policy', documentCsp));
        }
        const { method, headers } = request;
        const purpose = link.as === 'attachment' ? 'download' : link.purpose;
        const document = await openLinkToContent(ctx, link, purpose, {
          method,
          range: headers.range,
        });
        const storeUrl =
          method === 'GET' ? await storeLink(ctx, document, purpose, redirectSeconds) : undefined;
        if (storeUrl) return reply.redirect(storeUrl);
        reply.header('content-range', `bytes */${document.file_size}`);
        const range = requestedRange(request.method, request.headers, document);
        reply.removeHeader('content-range');
        const length = range ? range.end - range.start + 1 : document.file_size;
        const body = await openObject(deps, expectIntact, request.method, document, range);
        body.once('error', (err) =>
          request.log.error({ err, document_id: document.id }, 'the stream of a document was aborted'),
        );
        setHeaders(reply, document, purpose);
        reply.header('content-length', length);
        if (range) {
          reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${document.file_size}`);
        }
        return reply.send(body);
      },
    });
  };
}
