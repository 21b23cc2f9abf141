import type { FastifyInstance } from 'fastify';

// A client that is still sending would miss the response if we closed right away, so read on.
const maxUnreadBytes = 16 * 1024 * 1024;

/** A request can be refused while its body is still arriving, and a body may be endless. */
export function boundUnreadBodies(app: FastifyInstance): void {
  // Before the response ends: after that, Node discards data where we cannot count it.
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    done(null, payload);
    if (raw.complete) return;
    let received = 0;
    raw.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > maxUnreadBytes) raw.destroy();
    });
  });
}
