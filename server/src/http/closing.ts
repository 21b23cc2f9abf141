import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered until the very end: health checks report the shutdown itself. */
    answersWhileClosing?: true;
  }
}

/** Asks requests that arrive on open connections during shutdown to retry. */
export function refuseWhileClosing(app: FastifyInstance, stopping: AbortSignal): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A proxy must not send its next request on a connection that is about to close, and an open
    // connection would delay the shutdown, even if its request came before the signal.
    if (stopping.aborted) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isClosing || request.routeOptions.config.answersWhileClosing) return done();
    const text = 'The server is restarting. Please try again in a moment.';
    done(new AppError('BUSY', text, { retryAfterSeconds: 5 }));
  });
}

// Enough for a request that is already on its way.
const graceMs = 1_000;

/** Browsers open connections ahead of need. Node counts one that has sent nothing as busy and would wait for it. */
export function dropUnusedWhenClosing(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const dropUnused = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
  app.addHook('preClose', async () => {
    setTimeout(dropUnused, graceMs).unref();
  });
}
