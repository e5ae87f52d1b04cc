import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { AppContext } from '../context.ts';
import type { Db } from '../db/tables.ts';
import { AppError, fault, invalid } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { inRequest, principalOf } from './request-scope.ts';
import { withEtag } from './version.ts';

/** Long enough for a caller that was down over a weekend and a holiday. In days. */
export const KEPT_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** The answer of an idempotent call. */
export type OnceAnswer<Body> = { status: number; body: Body };

/**
 * Runs a creating call in a transaction and answers 201 with its result; see {@link answerOnce}.
 * @param work writes the record and returns the body of the answer
 */
export const createOnce = <Body extends object>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (scope: Scope) => Promise<Body>,
): Promise<Body> =>
  answerOnce(context, request, reply, async (scope) => ({ status: 201, body: await work(scope) }));

/**
 * The methods of a call that saves one record. Both leave fields unchanged that the body does not contain (API-06,
 * D091).
 */
export const SAVING: HTTPMethods[] = ['PUT', 'PATCH'];

/**
 * Runs a call that saves one record in a transaction and answers 200 with the record and its ETag; see {@link
 * answerOnce}. If the call is repeated with its Idempotency-Key, its own first save does not make it stale.
 * @param work saves the record and returns it
 */
export async function saveOnce<Body extends { updated_at: string }>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (scope: Scope) => Promise<Body>,
): Promise<Body> {
  const answer = async (scope: Scope) => ({ status: 200, body: await work(scope) });
  return withEtag(reply, await answerOnce(context, request, reply, answer));
}

/**
 * Runs a call in a transaction. With an Idempotency-Key header, the answer is stored in the same transaction for
 * seven days. A repeated call gets the stored answer and does nothing; a concurrent call waits for the first. A
 * failed call stores nothing and can be repeated.
 * @param work does the work and returns the answer
 * @throws AppError 409 idempotency_conflict when the key was used with another body
 */
export async function answerOnce<Body extends object>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (scope: Scope) => Promise<OnceAnswer<Body>>,
): Promise<Body> {
  const key = keyOf(request);
  if (key === null) {
    const { status, body } = await inRequest(context, request, work);
    reply.code(status);
    return body;
  }
  const requestHash = createHash('sha256').update(JSON.stringify(request.body)).digest('hex');
  return inRequest(context, request, async (scope) => {
    const { tx, now } = scope;
    const claimed = await tx
      .insertInto('idempotency_keys')
      .values({ key, request_hash: requestHash, status: 0, body: '', created_at: now.toISOString() })
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
    const { status, body } = await work(scope);
    await tx
      .updateTable('idempotency_keys')
      .set({ status, body: JSON.stringify(body) })
      .where('key', '=', key)
      .execute();
    reply.code(status);
    return body;
  });
}

/**
 * Whether an earlier call with the same Idempotency-Key has a stored answer, so that {@link answerOnce} will not do
 * the work again.
 */
export async function isAnswered({ db }: AppContext, request: FastifyRequest): Promise<boolean> {
  const key = keyOf(request);
  if (key === null) return false;
  const query = db.selectFrom('idempotency_keys').select('key').where('key', '=', key);
  return (await query.executeTakeFirst()) !== undefined;
}

/** The stored key of a call: a key is valid for one caller and one path with its ids. Null without the header. */
function keyOf(request: FastifyRequest): string | null {
  const sent = request.headers['idempotency-key'];
  if (sent === undefined) return null;
  if (typeof sent !== 'string' || !KEY_PATTERN.test(sent)) {
    throw invalid({ 'Idempotency-Key': [fault('invalid', 'Debe tener entre 1 y 255 caracteres visibles')] });
  }
  const { kind, id } = principalOf(request);
  const caller = kind === 'user' ? id : `${kind} ${id}`;
  const path = [request.routeOptions.url, ...Object.values(request.params as Record<string, string>)].join(
    ' ',
  );
  return `${caller} ${request.method} ${path} ${sent}`;
}

/** Deletes stored answers after {@link KEPT_DAYS}. */
export async function deletePastKeys(db: Db, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
  await db.deleteFrom('idempotency_keys').where('created_at', '<', limit).execute();
}
