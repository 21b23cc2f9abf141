import type { ErrorBody } from '@customer-database/contract/errors';
import { endSession, getSession, requireMfaSetup, requirePasswordChange, storedToken } from './session.ts';

/** Base URL of the API; empty means the same origin as the pages. */
export const apiUrl = (import.meta.env.VITE_API_URL ?? '').replace(/\/+$/, '');

type FailureBody = Partial<ErrorBody & { message: string }>;

/** A failed call. `serverText` is the server's message for users, if it sent one. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly serverText: string | undefined;
  readonly fields: Record<string, string>;
  readonly body: FailureBody;
  /** How long the server asks to wait before another attempt; 0 if it does not say. */
  readonly retryAfterSeconds: number;

  constructor(status: number, body: FailureBody = {}, cause?: unknown, retryAfterSeconds = 0) {
    const text = body.error || body.message;
    super(text ?? `The call failed (status ${status})`, { cause });
    this.status = status;
    this.code = body.code;
    this.serverText = text;
    this.fields = body.fields ?? {};
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The rejected fields with their messages, if `names` has all of them. */
export function rejectedFields(error: unknown, names: readonly string[]): Record<string, string> | undefined {
  const fields = error instanceof ApiError ? error.fields : {};
  const rejected = Object.keys(fields);
  return rejected.length > 0 && rejected.every((name) => names.includes(name)) ? fields : undefined;
}

/** The server's message, or the fallback. */
export function errorText(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverText) || fallback;
}

/** The sign-in screen replaces the current one, and no message is needed. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

type SentRequest = RequestInit & { headers: Record<string, string> };
export type Transport = (url: string, request: SentRequest) => Promise<Response>;

type CallOptions = {
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
  /** Lets the call finish after the page is closed. */
  keepalive?: boolean;
  /** In place of `fetch`. */
  transport?: Transport;
  /** A signed link authorizes the call: it needs no session, and cannot end one. */
  withoutSession?: boolean;
};

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    // Not from the API, whatever the status: a proxy's error page, for example.
    throw new ApiError(response.status, {}, cause);
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** For responses that are not JSON; others use `call`. */
export async function send(
  method: Method,
  path: string,
  { body, signal, headers = {}, keepalive = false, transport = fetch, withoutSession = false }: CallOptions,
): Promise<Response> {
  const token = withoutSession ? null : storedToken();
  const isForm = body instanceof FormData;
  const response = await transport(apiUrl + path, {
    method,
    cache: 'no-store',
    keepalive,
    headers: {
      accept: 'application/json',
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new ApiError(0, {}, cause);
  });
  // A late response must not end a session that started after the call was sent.
  const isCurrent = !withoutSession && getSession() !== undefined && [token, null].includes(storedToken());
  if (response.status === 401 && isCurrent) endSession('expired');
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get('retry-after')) || 0;
  const failure = (await readJson(response)) as FailureBody;
  const error = new ApiError(response.status, failure, undefined, retryAfter);
  if (error.code === 'PASSWORD_CHANGE_REQUIRED' && isCurrent) requirePasswordChange();
  if (error.code === 'MFA_SETUP_REQUIRED' && isCurrent) requireMfaSetup();
  throw error;
}

/** Trusts the shape of the response: the server validates it against the contract before sending. */
export async function call<Answer>(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  return (await readJson(await send(method, path, options))) as Answer;
}

/**
 * For calls where only success or failure counts, because another server may respond in its own format.
 * Returns the unchecked body, or undefined if it is not JSON.
 */
export async function callUntyped(method: Method, path: string, options: CallOptions = {}): Promise<unknown> {
  const response = await send(method, path, options);
  return readJson(response).catch(() => undefined);
}
