import * as contract from '@customer-database/contract/search';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { signedInContextOf } from '../../http/context.ts';
import { searchEverywhere } from './commands.ts';
import { presentSearch } from './present.ts';

export function searchRoutes(deps: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/search',
      config: { access: 'documents.read' },
      schema: {
        tags: ['Search'],
        summary: 'Customers, documents and pages of documents that have all of these words',
        querystring: contract.searchQuery,
        response: { 200: contract.searchResponse },
      },
      handler: async (request) =>
        presentSearch(await searchEverywhere(signedInContextOf(deps, request), request.query)),
    });
  };
}
