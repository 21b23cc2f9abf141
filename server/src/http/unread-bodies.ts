import type { FastifyInstance } from 'fastify';

// A caller who still sends does not hear an answer on a closed connection: so much more is heard out.
const readOnBytes = 16 * 1024 * 1024;

/** A request can be refused while its body is still coming, and a body need not have an end. */
export function boundUnreadBodies(app: FastifyInstance): void {
  // Before the answer ends: after that, what comes is thrown away where nobody can count it.
  app.addHook('onSend', ({ raw }, _reply, payload, done) => {
    done(null, payload);
    if (raw.complete) return;
    let received = 0;
    raw.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > readOnBytes) raw.destroy();
    });
  });
}
