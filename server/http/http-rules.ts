import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLine } from '../../contract/base/text.ts';
import { AppError, fault, invalid, notFound } from '../errors.ts';
import { refuseTunnel } from './socket-errors.ts';

/** Node's pattern for supported Expect headers. */
const GO_ON = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Refuses requests that HTTP/1.1 forbids but Node accepts, or refuses with an empty body: no Host header or several
 * (RFC 9112, 3.2), an unsupported expectation (RFC 9110, 10.1.1), a tunnel. Node must not check the Host header
 * itself (`requireHostHeader: false`). Node still checks contradictory lengths.
 * @param headers the headers of answers that are written directly to the socket
 */
export function keepHttpRules(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', refuseTunnel(headers));
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = refusalOf(request);
    // Closes the connection and does not wait for the body.
    if (refusal) reply.header('connection', 'close');
    done(refusal);
  });
}

function refusalOf({ raw, url }: FastifyRequest): AppError | undefined {
  if (!isReadable(url)) return notFound();
  if (raw.httpVersion !== '1.1') return undefined;
  if (countHosts(raw.rawHeaders) !== 1)
    return invalid({ host: [fault('invalid', 'La solicitud debe llevar un solo encabezado Host')] });
  const { expect } = raw.headers;
  return expect === undefined || GO_ON.test(expect) ? undefined : new AppError(417, 'expectation_failed');
}

/**
 * Whether the path is UTF-8 without control characters. No record has a name with such characters, and PostgreSQL
 * cannot compare with NUL.
 */
function isReadable(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  if (!path.includes('%')) return true;
  try {
    return isLine(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/**
 * Counts the Host headers. `headers` contains only the first; `rawHeaders` contains all names and values alternately.
 */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
