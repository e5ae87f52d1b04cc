import type { FastifyInstance } from 'fastify';

/**
 * While the server is about to stop, each answer tells its connection to close: a balancer then opens the next one
 * elsewhere, and no request is ever sent into a connection that is closing.
 */
export function closeConnectionsWhileDraining(
  app: FastifyInstance,
  { isDraining }: { isDraining: () => boolean },
): void {
  // Asked when the answer leaves, not when the request came: it may have come before.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
}
