import { documentTypes } from '@customer-database/contract/documents';
import { idParams } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf } from '../../../http/context.ts';
import { AppError } from '../../../http/errors.ts';
import { fileBody } from '../../../http/operation.ts';
import { openFile } from '../derived/commands.ts';
import { linkFields } from './link-query.ts';
import { openLink } from './links.ts';

const linkQuery = z.strictObject(linkFields);

/** Not recorded as a view, because text is hardly readable in a thumbnail. */
export function thumbnailRoute(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/documents/:id/thumbnail',
      config: { access: 'link', errors: ['STORAGE_UNAVAILABLE'] },
      schema: {
        operationId: 'getThumbnail',
        tags: ['Documents'],
        summary: 'Get a picture of the first page of a PDF, or the first lines of another document',
        params: idParams,
        querystring: linkQuery,
        response: {
          200: { content: { 'image/webp': { schema: fileBody }, 'text/plain': { schema: fileBody } } },
        },
      },
      handler: async (request, reply) => {
        const link = { documentId: request.params.id, purpose: 'thumbnail', ...request.query } as const;
        const { document } = await openLink(contextOf(deps, request), link);
        const file = await openFile(deps, document.id, 'thumbnail');
        if (!file) throw new AppError('NOT_FOUND', 'This document has no thumbnail yet');
        const isPicture = document.mime_type === documentTypes['.pdf'];
        return reply
          .header('content-type', isPicture ? 'image/webp' : 'text/plain; charset=utf-8')
          .header('content-length', file.size)
          .send(file.body);
      },
    });
  };
}
