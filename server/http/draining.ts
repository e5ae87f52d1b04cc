import type { FastifyInstance } from 'fastify';

/**
 * While the server drains, each answer closes its connection. A load balancer then opens the next connection to
 * another replica and sends no request into a connection that is closing.
 */
export function closeConnectionsWhileDraining(
  app: FastifyInstance,
  { isDraining }: { isDraining: () => boolean },
): void {
  // Checked when the answer is sent, because the request may have arrived before the drain.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining()) reply.header('connection', 'close');
    done(null, payload);
  });
}
