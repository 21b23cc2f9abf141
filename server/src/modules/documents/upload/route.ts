import { uploadResponse } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import multipart from '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Deps } from '../../../core/deps.ts';
import { signedInContextOf } from '../../../http/context.ts';
import { AppError, toAppError } from '../../../http/errors.ts';
import { limitRequests } from '../../../http/limited-requests.ts';
import { presentDocument } from '../present.ts';
import { uploadDocument } from './command.ts';
import { inTermsOfForm, readForm, uploadForm } from './form-parser.ts';
import { fileTooLarge, incomingFile, maxFieldBytes } from './incoming-file.ts';

// Base64 turns three bytes into four.
const bodyLimit = Math.ceil(limits.maxUploadBytes / 3) * 4 + maxFieldBytes;

const tooLargeCodes = new Set(['FST_ERR_CTP_BODY_TOO_LARGE', 'FST_REQ_FILE_TOO_LARGE']);

type Call = { url: string; operationId: string; summary: string; description: string; isFormOnly?: true };

const calls: Call[] = [
  {
    url: '/api/documents',
    operationId: 'uploadDocument',
    summary: 'Upload a document',
    description: 'As a form with the file as a part, or as JSON with the file in base64.',
  },
  {
    url: '/api/documents/upload',
    isFormOnly: true,
    operationId: 'uploadDocumentForm',
    summary: 'Upload a document as a form',
    description: 'For generated clients, some of which send JSON to every call that takes it.',
  },
];

async function refuseOtherThanForm({ headers }: FastifyRequest): Promise<void> {
  if (/^\s*multipart\/form-data\b/i.test(headers['content-type'] ?? '')) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the file as multipart/form-data');
}

export function uploadRoute(deps: Deps): FastifyPluginAsyncZod {
  const limitUploads = limitRequests(deps, 'upload', { concurrency: 4, maxWaiting: 60 });
  return async (app) => {
    await app.register(multipart, {
      limits: { fileSize: limits.maxUploadBytes, files: 1, fields: 8, parts: 9, fieldSize: 16_384 },
    });
    app.decorateRequest('fileField', 'file');

    for (const { url, isFormOnly, ...description } of calls) {
      app.route({
        method: 'POST',
        url,
        config: {
          access: 'documents.manage',
          form: uploadForm,
          isFormOnly,
          errors: [
            'INVALID_FILE_TYPE',
            'MALWARE_FOUND',
            'NOT_FOUND',
            'CONFLICT',
            'FILE_TOO_LARGE',
            'STORAGE_UNAVAILABLE',
            'SCANNER_UNAVAILABLE',
          ],
        },
        bodyLimit,
        onRequest: isFormOnly ? [refuseOtherThanForm, limitUploads] : limitUploads,
        preValidation: readForm,
        schema: {
          ...description,
          tags: ['Documents'],
          body: incomingFile,
          response: { 201: uploadResponse },
        },
        errorHandler: (error: FastifyError, request) => {
          throw inTermsOfForm(request, tooLargeCodes.has(error.code) ? fileTooLarge() : toAppError(error));
        },
        handler: async (request, reply) => {
          const ctx = signedInContextOf(deps, request);
          const document = presentDocument(ctx, await uploadDocument(ctx, request.body));
          return reply.code(201).send({ message: 'Document uploaded successfully', document });
        },
      });
    }
  };
}
