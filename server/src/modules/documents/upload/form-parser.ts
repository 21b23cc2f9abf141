import { documentTexts, uploadInput } from '@customer-database/contract/documents';
import { limits } from '@customer-database/contract/limits';
import type { MultipartFile, MultipartValue } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError, fieldError } from '../../../http/errors.ts';
import { fileTooLarge, maxFieldBytes } from './incoming-file.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The name of the part of a form that is the file. */
    fileField: string;
  }
}

const { filename, mime_type } = uploadInput.shape;
const insteadOfPart = 'Instead of the one that comes with the file';

/** Only describes the form: what arrives is checked as JSON is. */
export const uploadForm = uploadInput.omit({ file_data: true }).extend({
  file: z.file().meta({ contentMediaType: 'application/octet-stream' }),
  filename: filename.optional().describe(insteadOfPart),
  mime_type: mime_type.optional().describe(insteadOfPart),
});

const formLimit = limits.maxUploadBytes + maxFieldBytes;

function validUtf8(name: string, text: string): string {
  // The form parser substitutes this character for invalid UTF-8.
  if (text.includes('\ufffd')) throw fieldError(name, `${name} is not valid UTF-8`);
  return text;
}

/** By RFC 7578 that is the type of a part that does not declare one; the parser cannot tell these two apart. */
const typeOfUndeclared = 'text/plain';

async function readFile(part: MultipartFile): Promise<Record<string, unknown>> {
  // Missing when a client sends bytes without a name; browsers write a quote as %22.
  const name: string | undefined = part.filename;
  return {
    file_data: await part.toBuffer(),
    filename: name && validUtf8('filename', name.replaceAll('%22', '"')),
    mime_type: part.mimetype === typeOfUndeclared ? undefined : part.mimetype,
  };
}

function readField(request: FastifyRequest, { fieldname, value }: MultipartValue): unknown {
  // The parser truncates long fields: a file must come as a file.
  if (fieldname === 'file' || fieldname === 'file_data') {
    request.fileField = fieldname;
    throw fieldError('file_data', documentTexts.noFile);
  }
  if (typeof value !== 'string') return value;
  const text = validUtf8(fieldname, value);
  return fieldname === 'customer_id' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

async function readParts(request: FastifyRequest): Promise<Record<string, unknown>> {
  let file: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      request.fileField = part.fieldname;
      file = await readFile(part);
    } else if (Object.hasOwn(fields, part.fieldname))
      throw fieldError(part.fieldname, `${part.fieldname} was sent twice`);
    else fields[part.fieldname] = readField(request, part);
  }
  return { ...file, ...fields };
}

/** The parser drops what is too long but reads on to the end, and a form need not have one. */
function refuseEndlessForm(request: FastifyRequest): Promise<never> {
  return new Promise((_resolve, reject) => {
    let received = 0;
    request.raw.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > formLimit) reject(fileTooLarge());
    });
  });
}

const isRefusal = (error: unknown) => error instanceof Error && 'statusCode' in error;

const unreadable = (cause: unknown) =>
  new AppError('MALFORMED_REQUEST', 'The request is not a valid form', { cause });

/** Names the part of the form where an error is about the file. */
export function inTermsOfForm(request: FastifyRequest, error: AppError): AppError {
  const { file_data, ...fields } = error.fields ?? {};
  if (!request.isMultipart() || file_data === undefined) return error;
  return new AppError(error.code, error.message, { fields: { [request.fileField]: file_data, ...fields } });
}

/** Turns a form into the same shape as a JSON body, so that one schema checks both. */
export async function readForm(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) return;
  try {
    if (Number(request.headers['content-length']) > formLimit) throw fileTooLarge();
    request.body = await Promise.race([readParts(request), refuseEndlessForm(request)]);
  } catch (error) {
    throw error instanceof AppError || isRefusal(error) ? error : unreadable(error);
  }
}
