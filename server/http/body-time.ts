import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerSocketError } from './socket-errors.ts';

/** How long a body may take to arrive. It is checked at the end of each window; Node checks the headers. */
const BODY_WINDOW_MS = 10_000;
/** A route for large files (`bodyMs`) gives further windows, if each window brings at least this many bytes. */
const WINDOW_BYTES_MIN = 32 * 1024;

/**
 * Disconnects callers whose body does not arrive in time (promises: Under load): after one window; on a route with
 * `bodyMs` after that time, or earlier if a window brings fewer than {@link WINDOW_BYTES_MIN}. If the answer was
 * already sent, the caller is disconnected at the end of the window.
 */
export function limitBodyTime(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  windowMs: number = BODY_WINDOW_MS,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    const { socket } = raw;
    // A call without a connection (fastify's `inject`) has its whole body at once.
    if (hasBody(request) && socket instanceof Socket) {
      const limit = request.routeOptions.config.bodyMs ?? windowMs;
      let elapsed = 0;
      let seen = socket.bytesRead;
      const check = () => {
        elapsed += windowMs;
        const isMoving = socket.bytesRead - seen >= WINDOW_BYTES_MIN;
        seen = socket.bytesRead;
        if (!reply.raw.headersSent && isMoving && elapsed < limit) return;
        clearInterval(timer);
        if (reply.raw.headersSent) socket.destroy();
        else
          answerSocketError(
            Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
            socket,
            headers,
          );
      };
      const timer = setInterval(check, windowMs).unref();
      raw.once('close', () => clearInterval(timer));
    }
    done();
  });
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
