import * as contract from '@customer-database/contract/documents';
import { idParams, pageQuery } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { contextOf } from '../../../http/context.ts';
import { viewText } from '../commands.ts';
import { presentLinked, presentTextPages } from '../present.ts';
import { viewLinkQuery } from './link-query.ts';
import { openLink } from './links.ts';

/** For the viewer of users who open a view link without a session. */
export function linkedDocumentRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/documents/:id/content/details',
      config: { access: 'link' },
      schema: {
        operationId: 'getLinkedDocument',
        tags: ['Documents'],
        summary: 'Get the document of a view link',
        params: idParams,
        querystring: viewLinkQuery,
        response: { 200: contract.linkedDocumentResponse },
      },
      handler: async (request) => {
        const link = { documentId: request.params.id, ...request.query };
        const { asUser, document } = await openLink(contextOf(deps, request), link);
        return { document: presentLinked(asUser, document) };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id/content/text',
      config: { access: 'link' },
      schema: {
        operationId: 'getLinkedDocumentText',
        tags: ['Documents'],
        summary: 'Get the text of the document of a view link',
        params: idParams,
        querystring: viewLinkQuery.extend(pageQuery.shape),
        response: { 200: contract.documentTextResponse },
      },
      handler: async (request) => {
        const link = { documentId: request.params.id, ...request.query };
        const { asUser } = await openLink(contextOf(deps, request), link);
        return presentTextPages(await viewText(asUser, link.documentId, link), link.limit);
      },
    });
  };
}
