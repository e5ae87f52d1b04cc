import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/tables.ts';
import { followMerged, hasClient } from '../rules/merged-clients.ts';

/**
 * A filter `client` of a client that was merged answers as that of the client that has its records (MERGE-01). Written
 * here for all lists and files, so that no route can forget it.
 */
export function answerMergedClients(app: FastifyInstance, db: Db): void {
  // With `done` instead of `async`: every request passes here.
  app.addHook('preHandler', ({ query }, _reply, done) => {
    if (hasClient(query)) followMerged(db, query).then(() => done(), done);
    else done();
  });
}
