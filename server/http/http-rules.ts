import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../errors.ts';
import { refuseTunnel } from './socket-errors.ts';

/** Node's own rule for which expectations it meets. */
const GO_ON = /(?:^|\W)100-continue(?:$|\W)/i;

/**
 * Refuses what HTTP/1.1 tells a server to refuse and what Node would refuse with an empty body or let pass: no Host or
 * more than one (RFC 9112, 3.2), an expectation that nobody meets (RFC 9110, 10.1.1), a tunnel. Node must be
 * told to leave the Host to us (`requireHostHeader: false`). Lengths that contradict each other are Node's own matter.
 */
export function keepHttpRules(app: FastifyInstance): void {
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', refuseTunnel);
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = refusalOf(request);
    // The body, if one comes, is not waited for.
    if (refusal) reply.header('connection', 'close');
    done(refusal);
  });
}

function refusalOf({ raw }: FastifyRequest): AppError | undefined {
  if (raw.httpVersion !== '1.1') return undefined;
  if (countHosts(raw.rawHeaders) !== 1)
    return invalid({ host: ['La solicitud debe llevar un solo encabezado Host'] });
  const { expect } = raw.headers;
  return expect === undefined || GO_ON.test(expect) ? undefined : new AppError(417, 'expectation_failed');
}

/** Node keeps the first Host alone among its headers; here are all, names and values by turns. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
