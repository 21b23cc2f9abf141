import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

/** What arrives on an open connection while the server stops is told to come back. */
export function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', (_request, _reply, done) => {
    if (!isClosing) return done();
    const text = 'The server is restarting. Please try again in a moment.';
    done(new AppError('BUSY', text, { retryAfterSeconds: 5 }));
  });
}
