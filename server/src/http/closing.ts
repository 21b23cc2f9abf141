import type { FastifyInstance } from 'fastify';
import { AppError } from './errors.ts';

/** What arrives on an open connection while the server stops is told to come back. */
export function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  app.addHook('onRequest', async () => {
    if (!isClosing) return;
    const text = 'The server is restarting. Please try again in a moment.';
    throw new AppError('BUSY', text, { retryAfterSeconds: 5 });
  });
}
