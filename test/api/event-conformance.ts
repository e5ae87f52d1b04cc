import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Tables } from '../../server/db/tables.ts';
import { apiDocument } from '../../server/http/openapi.ts';
import { operationOf } from './conformance.ts';

/** Written although the call is refused: they tell of the refusal itself. */
const OF_REFUSALS = new Set(['user.sign_in_failed', 'session.revoked']);

/**
 * Makes the check of one application: a call writes the events that its route declares and no others, and a call that is
 * refused writes none (EVENT-01, EVENT-09).
 * @returns a function that throws when an event of the call is none of those
 */
export function eventConformanceOf(app: FastifyInstance, db: Kysely<Tables>) {
  const document = apiDocument(app);
  return async (method: string, url: string, status: number, requestId: string): Promise<void> => {
    if (method === 'GET' || method === 'HEAD') return;
    const path = url.split('?', 1)[0]!.replace(/\/?$/, '/');
    const declared = operationOf(document, method, path)?.['x-writes'] ?? [];
    const events = await db
      .selectFrom('events')
      .select('type')
      .where('request_id', '=', requestId)
      .execute()
      // A test that takes the database away says by itself what must hold.
      .catch(() => []);
    for (const { type } of events) {
      const isAllowed = declared.includes(type) && (status < 400 || OF_REFUSALS.has(type));
      if (!isAllowed)
        throw new Error(`${method} ${url} answered ${status} and wrote ${type}, which it does not declare.`);
    }
  };
}
