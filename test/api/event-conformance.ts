import type { Kysely } from 'kysely';
import type { Tables } from '../../server/db/tables.ts';
import type { ApiDocument } from '../../server/http/openapi-document.ts';
import { operationOf } from './conformance.ts';

/** Events that record the refusal of a call. */
const OF_REFUSALS = new Set(['user.sign_in_failed', 'session.revoked']);

/**
 * Creates the check for an application: a call writes only the events that its route declares, and a refused call
 * writes none (EVENT-01, EVENT-09).
 * @returns a function that throws for any other event
 */
export function eventConformanceOf(document: ApiDocument, db: Kysely<Tables>) {
  return async (method: string, url: string, status: number, requestId: string): Promise<void> => {
    if (method === 'GET' || method === 'HEAD') return;
    const path = url.split('?', 1)[0]!.replace(/\/?$/, '/');
    const declared = operationOf(document, method, path)?.['x-writes'] ?? [];
    const events = await db
      .selectFrom('events')
      .select('type')
      .where('request_id', '=', requestId)
      .execute()
      // A test that disconnected the database checks its events itself, so here it has none.
      .catch(() => []);
    for (const { type } of events) {
      const isAllowed = declared.includes(type) && (status < 400 || OF_REFUSALS.has(type));
      if (!isAllowed)
        throw new Error(`${method} ${url} answered ${status} and wrote ${type}, which it does not declare.`);
    }
  };
}
