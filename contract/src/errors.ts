import { z } from 'zod';

export const errorCodes = [
  'VALIDATION_FAILED',
  'MALFORMED_REQUEST',
  'WRONG_PASSWORD',
  'INVALID_MFA_CODE',
  'PASSKEY_FAILED',
  'INVALID_FILE_TYPE',
  'MALWARE_FOUND',
  'UNAUTHENTICATED',
  'SIGN_IN_FAILED',
  'COMPANY_SIGN_IN_FAILED',
  'MFA_SIGN_IN_FAILED',
  'MFA_SIGN_IN_EXPIRED',
  'FORBIDDEN',
  'PASSWORD_CHANGE_REQUIRED',
  'MFA_SETUP_REQUIRED',
  'CONFIRMATION_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'REGISTRATION_CLOSED',
  'WRONG_SETUP_CODE',
  'INTERNAL_ACCESS_REQUIRED',
  'PASSWORD_SIGN_IN_OFF',
  'LINK_INVALID',
  'NOT_FOUND',
  'EMAIL_TAKEN',
  'MFA_ALREADY_ENABLED',
  'MFA_NOT_ENABLED',
  'MFA_SETUP_NOT_STARTED',
  'CUSTOMER_HAS_DOCUMENTS',
  'CONFLICT',
  'POSSIBLE_DUPLICATE',
  'LAST_ADMIN',
  'OWN_ACCOUNT',
  'NO_OPEN_INVITATION',
  'USER_DISABLED',
  'FILE_TOO_LARGE',
  'REQUEST_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RANGE_NOT_SATISFIABLE',
  'TOO_MANY_ATTEMPTS',
  'BUSY',
  'DATABASE_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'DOCUMENT_DAMAGED',
  'SCANNER_UNAVAILABLE',
  'INTERNAL_ERROR',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export const errorBody = z
  .object({
    error: z.string().describe('A message for users'),
    code: z.enum(errorCodes),
    request_id: z.string(),
    fields: z.record(z.string(), z.string()).optional().describe('A message for each refused field'),
    current: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The record as it is now (CONFLICT), or the existing one like it (POSSIBLE_DUPLICATE)'),
  })
  .meta({ id: 'Error' });

export type ErrorBody = z.infer<typeof errorBody>;
