import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered to the very end: whoever asks wants to know about the stopping itself. */
    answersWhileClosing?: true;
  }
}

/** What arrives on an open connection while the server stops is told to come back. */
export function refuseWhileClosing(app: FastifyInstance, stopping: AbortSignal): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A proxy that keeps connections open must not send its next request into one that is about to
    // close; and one that stays open would hold up the end, also when its request came before the signal.
    if (stopping.aborted) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isClosing || request.routeOptions.config.answersWhileClosing) return done();
    const text = 'The server is restarting. Please try again in a moment.';
    done(new AppError('BUSY', text, { retryAfterSeconds: 5 }));
  });
}

// Enough for a request that is on its way already.
const graceMs = 1_000;

/** Browsers connect ahead of need. Node counts a connection that has sent nothing as busy, and would wait for it. */
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
