import type { FastifyInstance } from 'fastify';
import { duringCall } from '../lib/call-time.ts';

/** Gives each call its time: whatever it waits for and however often, a silent database ends it within that. */
export function keepCallTime(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => duringCall(reply.elapsedTime, done));
  // What comes after the body runs for the event of its last part, which knows nothing of the first hook.
  app.addHook('preValidation', (_request, reply, done) => duringCall(reply.elapsedTime, done));
}
