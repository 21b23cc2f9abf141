import type { ErrorBody } from '@customer-database/contract/errors';
import { demandPasswordChange, endSession, getSession, storedToken } from './session.ts';

/** Where the API lives; empty means: where these pages come from. */
export const apiHost = (import.meta.env.VITE_API_URL ?? '').replace(/\/+$/, '');

/** A call that did not succeed. `serverText` is what the server said for people, where it said something. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string | undefined;
  readonly serverText: string | undefined;
  readonly fields: Record<string, string>;
  /** The record that is in the way of a change. */
  readonly current: unknown;
  readonly body: unknown;

  constructor(status: number, body: Partial<ErrorBody & { message: string }> = {}, cause?: unknown) {
    const text = body.error || body.message;
    super(text ?? `The call failed (status ${status})`, { cause });
    this.status = status;
    this.code = body.code;
    this.serverText = text;
    this.fields = body.fields ?? {};
    this.current = body.current;
    this.body = body;
  }
}

/** The server's own text when there is one, else the given one. */
export function errorText(error: unknown, fallback: string): string {
  return (error instanceof ApiError && error.serverText) || fallback;
}

export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

type CallOptions = {
  body?: unknown;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
  /** The call goes on when the page is closed. */
  keepalive?: boolean;
};

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    // A proxy's error page, say: whatever the status, this is not an answer of the API.
    throw new ApiError(response.status, {}, cause);
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function send(
  method: Method,
  path: string,
  { body, signal, headers = {}, keepalive = false }: CallOptions,
): Promise<Response> {
  const token = storedToken();
  const response = await fetch(apiHost + path, {
    method,
    cache: 'no-store',
    keepalive,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new ApiError(0, {}, cause);
  });
  // Only the session that was sent can have ended: a late answer must not end the next one.
  const isCurrent = getSession() !== undefined && [token, null].includes(storedToken());
  if (response.status === 401 && isCurrent) endSession('expired');
  if (response.ok) return response;
  const error = new ApiError(response.status, (await readJson(response)) as Partial<ErrorBody>);
  if (error.code === 'PASSWORD_CHANGE_REQUIRED' && isCurrent) demandPasswordChange();
  throw error;
}

/** Sends one call. The shape of the answer is the contract's, which the server checks before sending. */
export async function call<Answer>(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  return (await readJson(await send(method, path, options))) as Answer;
}

/**
 * Sends a call of which only success or failure counts, as another server may answer it in its own way.
 * The answer is what it is, and undefined where it cannot be read.
 */
export async function tell(method: Method, path: string, options: CallOptions = {}): Promise<unknown> {
  const response = await send(method, path, options);
  return readJson(response).catch(() => undefined);
}
