import { uploadAnswer, uploadInput } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import multipart from '@fastify/multipart';
import type { FastifyError } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { fieldError } from '../../../http/errors.ts';
import { limitConcurrency } from '../../../http/slots.ts';
import { presentDocument } from '../present.ts';
import { fileTooLarge, takenOut, uploadDocument } from './command.ts';
import { readForm } from './form-parser.ts';
import { readJsonAsItComes, roomForFields } from './json-parser.ts';

// Base64 makes four bytes of three.
const bodyLimit = Math.ceil(limits.maxUploadBytes / 3) * 4 + roomForFields;

const tooLargeCodes = new Set(['FST_ERR_CTP_BODY_TOO_LARGE', 'FST_REQ_FILE_TOO_LARGE']);

export function uploadRoute(deps: Deps): FastifyPluginAsyncZod {
  // Whoever waits sends nothing, and must hear 'busy' before the connection counts as dead.
  const maxWaitMs = Math.min(30_000, deps.config.requestTimeoutMs / 2);
  const { onRequest, slots } = limitConcurrency({ atOnce: 4, waiting: 60, maxWaitMs });
  deps.metrics.watchSlots('upload', slots);
  return async (app) => {
    await app.register(multipart, {
      limits: { fileSize: limits.maxUploadBytes, files: 1, fields: 8, parts: 9, fieldSize: 16_384 },
    });
    app.decorateRequest('uploadedFile', null);
    readJsonAsItComes(app, bodyLimit);

    app.route({
      method: 'POST',
      url: '/api/documents',
      config: { access: 'documents.write' },
      bodyLimit,
      onRequest,
      preValidation: readForm,
      schema: {
        tags: ['Documents'],
        summary: 'Upload a document; also accepted as multipart/form-data with the file as a part',
        body: uploadInput,
        response: { 201: uploadAnswer },
      },
      errorHandler: (error: FastifyError) => {
        throw tooLargeCodes.has(error.code) ? fileTooLarge() : error;
      },
      handler: async (request, reply) => {
        const { customer_id, filename, description, file_data, mime_type } = request.body;
        const bytes = file_data === takenOut ? request.uploadedFile : null;
        if (!bytes) throw fieldError('file_data', 'file_data must be the content of the file in base64');
        const document = await uploadDocument(signedInContextOf(deps, request), {
          customerId: customer_id,
          filename,
          description: description ?? null,
          mimeType: mime_type,
          bytes,
        });
        return reply
          .code(201)
          .send({ message: 'Document uploaded successfully', document: presentDocument(document) });
      },
    });
  };
}
