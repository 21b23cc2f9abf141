import * as contract from '@customer-database/contract/documents';
import { idParams, message, pageQuery } from '@customer-database/contract/fields';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../core/deps.ts';
import { signedInContextOf } from '../../http/context.ts';
import { originOf } from '../../http/origin.ts';
import { pageCountsOf } from '../../http/page-counts.ts';
import type { Pages } from '../../http/pages.ts';
import * as commands from './commands.ts';
import { updateDocument } from './edit.ts';
import { presentDetails, presentDocuments, presentTextPages } from './present.ts';
import { documentContentRoute } from './serving/content-route.ts';
import { linkedDocumentRoutes } from './serving/linked-routes.ts';
import { issueLink } from './serving/links.ts';
import { thumbnailRoute } from './serving/thumbnail-route.ts';
import { proposeFilename } from './upload/command.ts';
import { uploadRoute } from './upload/route.ts';

export function documentRoutes(deps: Deps, pages: Pages): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(uploadRoute(deps));
    await app.register(documentContentRoute(deps, pages));
    await app.register(linkedDocumentRoutes(deps));
    await app.register(thumbnailRoute(deps));

    app.route({
      method: 'GET',
      url: '/api/documents/customer/:id',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'listCustomerDocuments',
        tags: ['Documents'],
        summary: 'List the documents of a customer, newest first',
        params: idParams,
        response: { 200: contract.customerDocumentsResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const documents = await commands.listDocumentsOfCustomer(ctx, request.params.id);
        return { documents: presentDocuments(ctx, documents), count: documents.length };
      },
    });

    app.route({
      method: 'POST',
      url: '/api/documents/search',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'searchDocuments',
        tags: ['Documents'],
        summary: 'Search documents; all filters must match',
        body: contract.documentSearchInput,
        response: { 200: contract.documentSearchResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const found = await commands.searchDocuments(ctx, request.body);
        return {
          documents: presentDocuments(ctx, found.documents),
          count: found.matches.count,
          count_is_capped: found.matches.isCapped,
        };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'listDocuments',
        tags: ['Documents'],
        summary: 'List documents, newest first',
        querystring: pageQuery,
        response: { 200: contract.documentListResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const { documents, total } = await commands.listDocuments(ctx, request.query);
        return {
          documents: presentDocuments(ctx, documents),
          ...pageCountsOf(documents, total, request.query.limit),
        };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'getDocument',
        tags: ['Documents'],
        summary: 'Get a document',
        params: idParams,
        response: { 200: contract.documentResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        return { document: presentDetails(ctx, await commands.getDocument(ctx, request.params.id)) };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id/text',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'getDocumentText',
        tags: ['Documents'],
        summary: 'Get the extracted text of a document, page by page',
        params: idParams,
        querystring: pageQuery,
        response: { 200: contract.documentTextResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const found = await commands.viewText(ctx, request.params.id, request.query);
        return presentTextPages(found, request.query.limit);
      },
    });

    app.route({
      method: 'POST',
      url: '/api/documents/check-duplicate',
      config: { access: 'documents.manage', errors: ['NOT_FOUND'] },
      schema: {
        operationId: 'checkDuplicate',
        tags: ['Documents'],
        summary: 'Get the name under which an upload would be saved',
        body: contract.duplicateCheckInput,
        response: { 200: contract.duplicateCheckResponse },
      },
      handler: (request) => proposeFilename(signedInContextOf(deps, request), request.body),
    });

    app.route({
      method: 'PUT',
      url: '/api/documents/:id',
      config: { access: 'documents.manage' },
      schema: {
        operationId: 'updateDocument',
        tags: ['Documents'],
        summary: 'Rename or describe a document, or move it to another customer',
        params: idParams,
        body: contract.updateDocumentInput,
        response: { 200: contract.updateDocumentResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const document = await updateDocument(ctx, request.params.id, request.body);
        return { message: 'Document updated successfully', document: presentDetails(ctx, document) };
      },
    });

    app.route({
      method: 'DELETE',
      url: '/api/documents/:id',
      config: { access: 'documents.manage' },
      schema: {
        operationId: 'deleteDocument',
        tags: ['Documents'],
        summary: 'Delete a document permanently',
        params: idParams,
        response: { 200: message },
      },
      handler: async (request) => {
        await commands.deleteDocument(signedInContextOf(deps, request), request.params.id);
        return { message: 'Document deleted successfully' };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id/download',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'getDownloadLink',
        tags: ['Documents'],
        summary: 'Get a link to download the document',
        params: idParams,
        response: { 200: contract.downloadResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const link = await issueLink(ctx, request.params.id, 'download', originOf(deps.config, request));
        return { download_url: link.url, filename: link.filename, expires_at: link.expiresAt.toISOString() };
      },
    });

    app.route({
      method: 'GET',
      url: '/api/documents/:id/view',
      config: { access: 'documents.read' },
      schema: {
        operationId: 'getViewLink',
        tags: ['Documents'],
        summary: 'Get a link to view the document in the browser',
        params: idParams,
        response: { 200: contract.viewResponse },
      },
      handler: async (request) => {
        const ctx = signedInContextOf(deps, request);
        const link = await issueLink(ctx, request.params.id, 'view', originOf(deps.config, request));
        return { view_url: link.url, expires_at: link.expiresAt.toISOString() };
      },
    });
  };
}
