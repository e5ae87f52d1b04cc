import type { FastifyReply } from 'fastify';

/**
 * Aborted as soon as the connection that waits for an answer is closed, so that nothing more is done for nobody.
 * Fastify's own `request.signal` follows the request, whose stream is closed once its body has been read.
 */
export function callerGone(reply: FastifyReply): AbortSignal {
  if (reply.raw.closed || reply.raw.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
