import { keepSecret, keepSecretsIn, keepSecretsInText } from '../../scripts/test-logs.js';

export type Answer = {
  status: number;
  headers: Headers;
  /** The parsed JSON, untyped because tests read fields of known answers. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the server says
  body: any;
};

export type Client = {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends any other request. */
  send(path: string, init: RequestInit): Promise<Answer>;
};

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = isJson && text ? JSON.parse(text) : text;
  keepSecretsIn(body);
  return { status: response.status, headers: response.headers, body };
}

/** Calls a server as a browser does, signed in when it has a token. */
export function createClient(baseUrl: string, token?: string): Client {
  keepSecret('token', token);
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const send = async (path: string, init: RequestInit) => {
    keepSecretsInText(init.body);
    const headers = { ...authorization, ...(init.headers as Record<string, string> | undefined) };
    return read(await fetch(new URL(path, baseUrl), { ...init, headers }));
  };
  const withBody = (method: string) => (path: string, body?: unknown, headers?: Record<string, string>) =>
    send(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    get: (path, headers) => send(path, { headers: headers ?? {} }),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: (path, headers) => send(path, { method: 'DELETE', headers: headers ?? {} }),
    send,
  };
}
