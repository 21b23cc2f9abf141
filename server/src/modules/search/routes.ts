import { idParams } from '@customer-database/contract/fields';
import * as contract from '@customer-database/contract/search';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { contextOf, signedInContextOf } from '../../http/context.ts';
import { viewLinkQuery } from '../documents/serving/link-query.ts';
import { openLink } from '../documents/serving/links.ts';
import { findHits, searchEverywhere } from './commands.ts';
import { presentHits, presentSearch } from './present.ts';

export function searchRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/search',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'searchEverything',
        tags: ['Search'],
        summary: 'Search customers, documents and the text of documents',
        querystring: contract.searchQuery,
        response: { 200: contract.searchResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        return presentSearch(ctx, await searchEverywhere(ctx, request.query));
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id/hits',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'findHits',
        tags: ['Search'],
        summary: 'Find the pages of a document that have the most of the words',
        params: idParams,
        querystring: contract.documentHitsQuery,
        response: { 200: contract.documentHitsResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        return presentHits(await findHits(ctx, request.params.id, request.query));
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id/content/hits',
      config: { access: 'link' },
      schema: {
        operationId: 'findLinkedHits',
        tags: ['Search'],
        summary: 'Find the pages of the document of a view link that have the most of the words',
        params: idParams,
        querystring: viewLinkQuery.extend(contract.documentHitsQuery.shape),
        response: { 200: contract.documentHitsResponse },
      },
      handler: async (request) => {
        const { q, snippets, ...query } = request.query;
        const { asUser } = await openLink(contextOf(deps, request), {
          documentId: request.params.id,
          ...query,
        });
        return presentHits(await findHits(asUser, request.params.id, { q, snippets }));
      },
    });
  };
}
