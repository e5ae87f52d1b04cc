import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerSocketError } from './socket-errors.ts';

/** How long a body may take to arrive. It is checked at the end of each window; Node checks the headers. */
const BODY_WINDOW_MS = 10_000;
/** A route for large files (`bodyMs`) gives further windows, if each window brings at least this many bytes. */
const WINDOW_BYTES_MIN = 32 * 1024;

/** A call whose body has not arrived yet. */
type Arriving = {
  socket: Socket;
  isAnswered: () => boolean;
  /** How long the body may take, however much each window brings. */
  limitMs: number;
  startedAt: number;
  /** The end of its present window. */
  dueAt: number;
  /** What the connection had received when the window began. */
  bytesRead: number;
};

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
  // All windows are equally long, so the bodies stand in the order in which their windows end, and one timer serves
  // all of them.
  const arriving = new Map<FastifyRequest, Arriving>();
  let timer: NodeJS.Timeout | undefined;

  const waitForFirst = () => {
    const [first] = arriving.values();
    timer = first && setTimeout(endWindows, Math.max(1, first.dueAt - performance.now())).unref();
  };
  const endWindows = () => {
    const now = performance.now();
    for (const [request, body] of arriving) {
      if (body.dueAt > now) break;
      arriving.delete(request);
      if (mayContinue(body, now)) {
        arriving.set(request, { ...body, dueAt: now + windowMs, bytesRead: body.socket.bytesRead });
      } else disconnect(body, headers);
    }
    waitForFirst();
  };

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request;
    // A call without a connection (fastify's `inject`) has its whole body at once.
    if (hasBody(request) && raw.socket instanceof Socket) {
      const startedAt = performance.now();
      arriving.set(request, {
        socket: raw.socket,
        isAnswered: () => reply.raw.headersSent,
        limitMs: request.routeOptions.config.bodyMs ?? windowMs,
        startedAt,
        dueAt: startedAt + windowMs,
        bytesRead: raw.socket.bytesRead,
      });
      raw.once('close', () => arriving.delete(request));
      if (timer === undefined) waitForFirst();
    }
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearTimeout(timer);
    done();
  });
}

function mayContinue({ socket, isAnswered, limitMs, startedAt, bytesRead }: Arriving, now: number): boolean {
  return !isAnswered() && socket.bytesRead - bytesRead >= WINDOW_BYTES_MIN && now - startedAt < limitMs;
}

function disconnect({ socket, isAnswered }: Arriving, headers: Readonly<Record<string, string>>): void {
  if (isAnswered()) socket.destroy();
  else answerSocketError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket, headers);
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
