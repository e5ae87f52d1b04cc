import type { FastifyReply } from 'fastify';

/**
 * A signal that is aborted when the caller's connection closes, so that work for the answer can stop. Fastify's own
 * `request.signal` follows the request stream, which closes once its body has been read.
 */
export function callerGone(reply: FastifyReply): AbortSignal {
  if (reply.raw.closed || reply.raw.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
