import type { FastifyReply } from 'fastify';

/**
 * A signal that is aborted when the caller's connection closes, so that work for the answer can stop. Fastify's
 * `request.signal` is not usable for this: it follows the request stream, which closes when its body has been read.
 */
export function callerGone(reply: FastifyReply): AbortSignal {
  if (reply.raw.closed || reply.raw.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
