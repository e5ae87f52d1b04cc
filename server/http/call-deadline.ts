import type { FastifyInstance } from 'fastify';
import { duringCall } from '../lib/call-time.ts';

/**
 * Limits the time of each call: even with a database that does not answer, the call ends within this time, however
 * often it waits.
 */
export function keepCallTime(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => duringCall(reply.elapsedTime, done));
  // After a body, code runs in the async context of the body's last event, which has lost the time set in onRequest.
  // A GET has no body.
  app.addHook('preValidation', (request, reply, done) => {
    if (request.method === 'GET') done();
    else duringCall(reply.elapsedTime, done);
  });
}
