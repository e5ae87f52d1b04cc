import type { FastifyRequest } from 'fastify';
import { idParams } from '../../../contract/base/page.ts';
import {
  clientMerge,
  clientMergePreview,
  mergeCandidates,
  mergeCandidatesQuery,
  mergedClient,
  mergePreview,
} from '../../../contract/clients/merge.ts';
import { forbidden } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { isAnswered, saveOnce } from '../../http/idempotency.ts';
import { inRequest, principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { candidatesOfImport } from './merge-candidates.ts';
import { mergeClients } from './merge-clients.ts';
import { moveAhead, movesInParts, tryAgain } from './merge-in-parts.ts';
import { previewMerge } from './preview-merge.ts';

const URL = '/licenses/api/clients/:id(^\\d+$)/merge/';

/** One of the two clients ends, and the other one changes. */
function requireBoth(request: FastifyRequest): void {
  if (!principalOf(request).permissions.has('clients:write')) throw forbidden();
}

export const mergeRoutes = routesOf('Clientes', (app, context) => {
  app.post(
    URL,
    {
      config: can('clients:delete', {
        writes: ['client.merged'],
        once: true,
        errors: {
          412: true,
          409: 'Uno de los dos es el cliente de las pruebas, está borrado, tiene un correo en camino o más de 5,000 licencias (conflict)',
        },
      }),
      schema: {
        summary: 'Fusionar dos clientes',
        description:
          'Lo que tiene from pasa a este cliente, con sus licencias, cobros, pagos, correos y notas, y from termina. Los campos de este cliente se quedan; los que están en blanco se toman de from. Necesita también clients:write. No se puede deshacer.',
        params: idParams,
        body: clientMerge,
        response: { 200: mergedClient },
      },
    },
    async (request, reply) => {
      requireBoth(request);
      const pair = { id: request.params.id, from: request.body.from };
      const isOver = () => isAnswered(context, request);
      if (!(await isOver()) && (await movesInParts(context.db, pair.from))) {
        const moving = moveAhead(context, (work) => inRequest(context, request, work), pair);
        await moving.catch(async (error: unknown) => {
          // The same call, sent twice, has ended it meanwhile.
          if (!(await isOver())) throw error;
        });
      }
      return tryAgain(() => saveOnce(context, request, reply, (scope) => mergeClients(scope, pair)));
    },
  );

  app.get(
    '/licenses/api/clients/merge_candidates/',
    {
      config: can('clients:read'),
      schema: {
        summary: 'Ver qué clientes de una importación quizá son el mismo',
        description: 'Por el email sin su +etiqueta, el RFC o CUIT, o el nombre; hasta veinte parejas.',
        querystring: mergeCandidatesQuery,
        response: { 200: mergeCandidates },
      },
    },
    ({ query }) => {
      const moment = { now: context.now(), timeZone: context.config.timeZone };
      return candidatesOfImport(context.db, query.import, moment);
    },
  );

  app.post(
    `${URL}preview/`,
    {
      config: can('clients:delete', { writes: NOTHING }),
      schema: {
        summary: 'Ver qué haría una fusión',
        description: 'Cuenta lo que pasaría de from a este cliente, sin guardar nada.',
        params: idParams,
        body: clientMergePreview,
        response: { 200: mergePreview },
      },
    },
    async (request) => {
      requireBoth(request);
      const pair = { id: request.params.id, from: request.body.from };
      return previewMerge(context.db, pair, context.now());
    },
  );
});
