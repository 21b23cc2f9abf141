import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { TestApp } from '@customer-database/testkit/test-app';

export type EndlessRequest = {
  method?: string;
  path: string;
  headers: Record<string, string>;
  /** How the body begins; endless letters A follow. */
  opening: string;
  /** Stops sending after so many bytes if the server still reads. */
  giveUpAfterBytes: number;
};

const block = Buffer.alloc(64 * 1024, 'A');

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Sends a body that never ends; resolves to the bytes that the server read before it closed the connection. */
export function sendEndlessly(app: TestApp, request: EndlessRequest): Promise<number> {
  const isChunked = request.headers['transfer-encoding'] === 'chunked';
  const framed = (bytes: Buffer) => (isChunked ? chunk(bytes) : bytes);
  const head = [
    `${request.method ?? 'POST'} ${request.path} HTTP/1.1`,
    'host: localhost',
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ];

  return new Promise((resolve) => {
    app.app.server.once('connection', (served: Socket) => {
      served.once('close', () => resolve(served.bytesRead));
    });
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    const pump = () => {
      if (socket.bytesWritten > request.giveUpAfterBytes) socket.destroy();
      while (socket.writable && socket.write(framed(block)));
    };
    socket.on('drain', pump);
    // The server is expected to hang up midway.
    socket.on('error', () => socket.destroy());
    socket.resume();
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(framed(Buffer.from(request.opening)));
    pump();
  });
}
