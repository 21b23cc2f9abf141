import type { ErrorBody, ErrorCode } from '@customer-database/contract/errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { isDatabaseUnavailable, SearchTooSlow } from '../db/unavailable.ts';
import { ConcurrencyLimitError } from '../metrics/concurrency-limit.ts';
import { ScannerUnavailableError } from '../scanner/port.ts';
import { ObjectDamagedError, ObjectMissingError, StorageUnavailableError } from '../storage/port.ts';

/** The only place that knows HTTP status codes. */
export const statusOf: Record<ErrorCode, number> = {
  VALIDATION_FAILED: 400,
  MALFORMED_REQUEST: 400,
  WRONG_PASSWORD: 400,
  INVALID_MFA_CODE: 400,
  PASSKEY_FAILED: 400,
  INVALID_FILE_TYPE: 400,
  MALWARE_FOUND: 400,
  UNAUTHENTICATED: 401,
  SIGN_IN_FAILED: 401,
  COMPANY_SIGN_IN_FAILED: 401,
  MFA_SIGN_IN_FAILED: 401,
  MFA_SIGN_IN_EXPIRED: 401,
  FORBIDDEN: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  MFA_SETUP_REQUIRED: 403,
  CONFIRMATION_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  REGISTRATION_CLOSED: 403,
  WRONG_SETUP_CODE: 403,
  INTERNAL_ACCESS_REQUIRED: 403,
  PASSWORD_SIGN_IN_OFF: 403,
  LINK_INVALID: 403,
  NOT_FOUND: 404,
  EMAIL_TAKEN: 409,
  MFA_ALREADY_ENABLED: 409,
  MFA_NOT_ENABLED: 409,
  MFA_SETUP_NOT_STARTED: 409,
  CUSTOMER_HAS_DOCUMENTS: 409,
  CONFLICT: 409,
  POSSIBLE_DUPLICATE: 409,
  LAST_ADMIN: 409,
  OWN_ACCOUNT: 409,
  NO_OPEN_INVITATION: 409,
  USER_DISABLED: 409,
  FILE_TOO_LARGE: 413,
  REQUEST_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  TOO_MANY_ATTEMPTS: 429,
  BUSY: 503,
  DATABASE_UNAVAILABLE: 503,
  STORAGE_UNAVAILABLE: 503,
  DOCUMENT_DAMAGED: 500,
  SCANNER_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
};

type Details = {
  fields?: Record<string, string>;
  retryAfterSeconds?: number;
  /** The conflicting record, as responses show it. */
  current?: Record<string, unknown>;
  cause?: unknown;
};

/** An error whose message is shown to users. */
export class AppError extends Error {
  override name = 'AppError';
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly current: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, text: string, details: Details = {}) {
    super(text, { cause: details.cause });
    this.code = code;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.current = details.current;
  }
}

export const notFound = () => new AppError('NOT_FOUND', 'There is nothing at this address');

export function fieldError(field: string, text: string): AppError {
  return new AppError('VALIDATION_FAILED', text, { fields: { [field]: text } });
}

// A request may hold a megabyte of names: the response must not repeat them.
const maxUnknownFields = 20;
const maxNameLength = 100;

function fromValidation(error: FastifyError): AppError | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  // A map, because the client chooses the names and may send '__proto__'.
  const fields = new Map<string, string>();
  for (const issue of error.validation) {
    const [name] = issue.instancePath.split('/').filter(Boolean);
    const unknown = issue.keyword === 'unrecognized_keys' ? issue.params.keys : undefined;
    if (Array.isArray(unknown)) {
      for (const key of unknown.slice(0, maxUnknownFields)) {
        const short = String(key).slice(0, maxNameLength);
        fields.set(short, `${short} is not a field that can be set here`);
      }
    } else if (name !== undefined && !fields.has(name)) fields.set(name, issue.message ?? 'is not valid');
  }
  const [first] = fields.values();
  if (first === undefined)
    return new AppError('MALFORMED_REQUEST', 'The request needs a JSON object with its fields');
  return new AppError('VALIDATION_FAILED', first, { fields: Object.fromEntries(fields) });
}

const frameworkErrors: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['REQUEST_TOO_LARGE', 'The request is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send the request as application/json'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['MALFORMED_REQUEST', 'The request is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['MALFORMED_REQUEST', 'The request is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['MALFORMED_REQUEST', 'The request is not as long as it says'],
  FST_ERR_BAD_URL: ['MALFORMED_REQUEST', 'The address is not valid'],
  FST_ERR_MAX_PARAM_LENGTH: ['MALFORMED_REQUEST', 'The address is not valid'],
};

function fromKnownCause(error: unknown): AppError | undefined {
  if (error instanceof ConcurrencyLimitError) {
    return new AppError('BUSY', 'The server is busy. Please try again in a moment.', {
      retryAfterSeconds: 5,
    });
  }
  if (error instanceof StorageUnavailableError || error instanceof ObjectMissingError) {
    const text = 'The document storage is not available right now. Please try again later.';
    return new AppError('STORAGE_UNAVAILABLE', text, { retryAfterSeconds: 5, cause: error });
  }
  if (error instanceof ObjectDamagedError) {
    const text = 'The stored file is damaged and is not handed out. Please tell an administrator.';
    return new AppError('DOCUMENT_DAMAGED', text, { cause: error });
  }
  if (error instanceof ScannerUnavailableError) {
    const text = 'The virus scanner cannot be reached. Nothing was stored; please try again in a moment.';
    return new AppError('SCANNER_UNAVAILABLE', text, { retryAfterSeconds: 5, cause: error });
  }
  if (error instanceof SearchTooSlow) {
    const text = 'This search takes too long right now. Please add a rarer word, or try again in a moment.';
    return new AppError('BUSY', text, { retryAfterSeconds: 5 });
  }
  if (isDatabaseUnavailable(error)) {
    const text = 'The database is not available right now. Please try again later.';
    return new AppError('DATABASE_UNAVAILABLE', text, { retryAfterSeconds: 5, cause: error });
  }
  return undefined;
}

export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const error = thrown as FastifyError;
  const validation = fromValidation(error);
  if (validation) return validation;
  const framework = frameworkErrors[error.code];
  if (framework) return new AppError(framework[0], framework[1], { cause: error });
  const known = fromKnownCause(error);
  if (known) return known;
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('MALFORMED_REQUEST', 'The request could not be understood', { cause: error });
  }
  return new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Please try again.', {
    cause: error,
  });
}

export function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const status = statusOf[error.code];
  if (status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(error.retryAfterSeconds));
  const body: ErrorBody = {
    error: error.message,
    code: error.code,
    request_id: request.id,
    ...(error.fields && { fields: error.fields }),
    ...(error.current && { current: error.current }),
  };
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(request, reply, toAppError(error)));
  app.setNotFoundHandler((request, reply) => sendError(request, reply, notFound()));
}
