import type { FastifyBaseLogger } from 'fastify';
import { JOB_MESSAGES, type JobProgress, jobProgress } from '../../../contract/base/jobs.ts';
import { BULK_IDS_MAX } from '../../../contract/base/limits.ts';
import { idParams } from '../../../contract/base/page.ts';
import {
  type BulkActionJob,
  type BulkActionResult,
  bulkActionJob,
  bulkActionResult,
} from '../../../contract/licenses/bulk.ts';
import type { AppContext } from '../../context.ts';
import { AppError, forbidden, notFound } from '../../errors.ts';
import { maySee, NOTHING, withToken } from '../../http/access.ts';
import { answerOnce, isAnswered, type OnceAnswer } from '../../http/idempotency.ts';
import { inRequest, principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import type { Principal } from '../../principal.ts';
import type { Bulk } from '../../records/define-bulk.ts';
import type { Scope } from '../../scope.ts';
import { findBulkJob, finishBulkJob, insertBulkJob, lockBulkJob, toProgress } from './bulk.queries.ts';
import { bulkJob } from './bulk-job.ts';
import { BULK_LISTS, type BulkRequest } from './bulk-lists.ts';

const DESCRIPTION = `Cada registro se hace por separado: los que fallan vuelven en \`failed\`, con el código y el texto que
daría la llamada de uno solo. Con \`ids\` son como máximo ${BULK_IDS_MAX}. Con \`filters\` son los que encuentra la lista; si son más
de ${BULK_IDS_MAX}, responde 202 con un trabajo, que se sigue en \`/licenses/api/jobs/{id}/\`. Cada acción necesita el permiso de su
llamada de uno solo.`;

const ERRORS = {
  409: 'La cantidad de registros cambió (count_changed), o la clave de idempotencia ya se usó (idempotency_conflict)',
};

export const bulkRoutes = routesOf('Trabajos', (app, context) => {
  for (const { bulk, body: schema, tag, summary } of BULK_LISTS) {
    app.post(
      `/licenses/api/${bulk.name}/bulk_action/`,
      {
        config: withToken({ writes: bulk.writes, once: true, errors: ERRORS }),
        schema: {
          tags: [tag],
          summary,
          description: DESCRIPTION,
          body: schema,
          response: { 200: bulkActionResult, 202: bulkActionJob },
        },
      },
      async (request, reply) => {
        const { body } = request;
        const { permissions } = principalOf(request);
        const needed = bulk.needs(body.action, body.filters !== undefined);
        if (!needed.every((permission) => permissions.has(permission))) throw forbidden();
        const find = () => findIds(context, bulk, body);
        // The ids are found before the transaction, because on SQLite other writers wait for a transaction. A
        // repeated call gets its stored answer, whatever the filters find now.
        const found = (await isAnswered(context, request)) ? null : await find();
        return answerOnce(context, request, reply, async (scope) =>
          act(scope, bulk, body, found ?? (await find()), request.log),
        );
      },
    );
  }

  app.get(
    '/licenses/api/jobs/:id(^\\d+$)/',
    {
      config: withToken(),
      schema: {
        summary: 'Ver el avance de un trabajo',
        description: 'Lo ve quien lo pidió, y quien puede leer la auditoría. Se conserva una semana.',
        params: idParams,
        response: { 200: jobProgress },
      },
    },
    async (request) => {
      const job = await findBulkJob(context.db, request.params.id);
      if (!job || !maySee(principalOf(request), job)) throw notFound(JOB_MESSAGES.notFound);
      return toProgress(job);
    },
  );

  app.post(
    '/licenses/api/jobs/:id(^\\d+$)/cancel/',
    {
      config: withToken({ writes: NOTHING, errors: { 409: 'El trabajo ya terminó (conflict)' } }),
      schema: {
        summary: 'Detener un trabajo',
        description: 'Lo detiene quien lo pidió, o un administrador. Lo que ya se hizo se conserva.',
        params: idParams,
        response: { 200: jobProgress },
      },
    },
    (request) =>
      inRequest(context, request, (scope) => cancelBulkJob(scope, request.params.id, principalOf(request))),
  );
});

/**
 * Cancels a job; records that were already processed stay changed.
 * @throws notFound (404) for a job that the caller may not see, forbidden (403), conflict (409) for one that has
 * ended
 */
async function cancelBulkJob(scope: Scope, id: number, principal: Principal): Promise<JobProgress> {
  const job = await findBulkJob(scope.tx, id);
  if (!job || !maySee(principal, job)) throw notFound(JOB_MESSAGES.notFound);
  const isOwn = job.actor_kind === principal.kind && job.actor_id === principal.id;
  if (!isOwn && principal.session?.role !== 'admin') throw forbidden(JOB_MESSAGES.notYours);
  if (!(await lockBulkJob(scope.tx, id)))
    throw new AppError(409, 'conflict', { message: JOB_MESSAGES.isOver });
  await finishBulkJob(scope.tx, id, { state: 'cancelled', reason: JOB_MESSAGES.cancelled }, scope.now);
  return toProgress((await findBulkJob(scope.tx, id))!);
}

async function findIds({ db, now, config }: AppContext, bulk: Bulk, body: BulkRequest): Promise<number[]> {
  if (body.ids) return body.ids;
  // Without ids there are filters, because the schema requires one of them.
  return bulk.find(db, body.filters!, { now: now(), timeZone: config.timeZone });
}

/**
 * Runs a bulk call, or stores it as a job if it has too many records for one request.
 * @throws AppError 409 count_changed when the filters find another number of records than expected
 */
async function act(
  scope: Scope,
  bulk: Bulk,
  body: BulkRequest,
  ids: number[],
  log: FastifyBaseLogger,
): Promise<OnceAnswer<BulkActionResult | BulkActionJob>> {
  const { filters, expected_count: expected } = body;
  if (filters && expected !== undefined && expected !== ids.length) throw new AppError(409, 'count_changed');
  const asked = bulk.askedIn(body);
  if (ids.length <= BULK_IDS_MAX) {
    const result = await bulk.runEach(scope, ids, asked, log);
    return { status: 200, body: { success: true, ...result } };
  }
  const job = await insertBulkJob(scope, { list: bulk.name, ids, ...asked });
  await bulkJob.enqueue(scope, { bulk: job });
  return { status: 202, body: { success: true, job } };
}
