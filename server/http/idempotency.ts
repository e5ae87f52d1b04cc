import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../context.ts';
import type { Db } from '../db/tables.ts';
import { AppError, invalid } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { inRequest, principalOf } from './request-scope.ts';

/** Long enough for a caller that was down over a weekend and a holiday. */
export const KEPT_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a call that must not be repeated in a transaction, and answers with its result. With an Idempotency-Key header the answer is
 * stored in the same transaction for seven days, and a repeated call gets it without a second record; concurrent
 * calls wait for the first. A failed call stores nothing and can be repeated.
 * @param work writes the record and returns the body of the answer
 * @param status 201 for a created record, 200 for an action on one
 * @throws AppError 409 idempotency_conflict when the key was used with another body
 */
export async function createOnce<Body extends object>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (scope: Scope) => Promise<Body>,
  status: 200 | 201 = 201,
): Promise<Body> {
  const sentKey = request.headers['idempotency-key'];
  reply.code(status);
  if (sentKey === undefined) return inRequest(context, request, work);
  if (typeof sentKey !== 'string' || !KEY_PATTERN.test(sentKey)) {
    throw invalid({ 'Idempotency-Key': ['Debe tener entre 1 y 255 caracteres visibles'] });
  }
  const { kind, id } = principalOf(request);
  // A key counts per caller and path.
  const caller = kind === 'user' ? id : `${kind} ${id}`;
  const path = [request.routeOptions.url, ...Object.values(request.params ?? {})].join(' ');
  const key = `${caller} ${request.method} ${path} ${sentKey}`;
  const requestHash = createHash('sha256').update(JSON.stringify(request.body)).digest('hex');
  return inRequest(context, request, async (scope) => {
    const { tx, now } = scope;
    const claimed = await tx
      .insertInto('idempotency_keys')
      .values({ key, request_hash: requestHash, status, body: '', created_at: now.toISOString() })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .executeTakeFirst();
    if (!claimed) {
      const earlier = await tx
        .selectFrom('idempotency_keys')
        .select(['request_hash', 'status', 'body'])
        .where('key', '=', key)
        .executeTakeFirstOrThrow();
      if (earlier.request_hash !== requestHash) throw new AppError(409, 'idempotency_conflict');
      reply.code(earlier.status).header('idempotency-replayed', 'true');
      return JSON.parse(earlier.body) as Body;
    }
    const body = await work(scope);
    await tx
      .updateTable('idempotency_keys')
      .set({ body: JSON.stringify(body) })
      .where('key', '=', key)
      .execute();
    return body;
  });
}

/** Deletes stored answers after {@link KEPT_DAYS}. */
export async function deletePastKeys(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await db.deleteFrom('idempotency_keys').where('created_at', '<', limit).execute();
}
