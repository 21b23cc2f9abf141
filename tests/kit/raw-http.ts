import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type RawAnswer = { status: number; headers: Headers; body: string };

/** A raw connection for requests that no well-behaved client would send. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A server may reset a bad client's connection; the response before that still counts.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Everything the server sends until it closes the connection. */
export async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks);
}

export function parseAnswer(bytes: Buffer): RawAnswer {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(statusLine.split(' ')[1]), headers, body: bytes.subarray(end + 4).toString() };
}

/** Sends these bytes and reads the response; the request should ask to close the connection. */
export async function sendBytes(url: string, bytes: Buffer | string): Promise<RawAnswer> {
  const socket = await openSocket(url);
  const answer = readToEnd(socket);
  socket.write(bytes);
  return parseAnswer(await answer);
}

export type RawRequest = {
  method?: string;
  /** Sent as it is, without encoding or normalising. */
  target: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
};

/** A well-formed request, apart from the caller's overrides. */
export function sendRaw(url: string, request: RawRequest): Promise<RawAnswer> {
  const body = Buffer.from(request.body ?? '');
  const headers: Record<string, string> = {
    host: new URL(url).host,
    connection: 'close',
    ...(request.body !== undefined && { 'content-length': String(body.length) }),
    ...request.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method ?? 'GET'} ${request.target} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return sendBytes(url, Buffer.concat([Buffer.from(head, 'latin1'), body]));
}
