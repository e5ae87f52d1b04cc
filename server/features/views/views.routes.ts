import type { FastifyRequest } from 'fastify';
import { done } from '../../../contract/base/errors.ts';
import { idParams } from '../../../contract/base/page.ts';
import { VIEW_RESULTS, view, viewCreate, viewList, viewListQuery } from '../../../contract/base/views.ts';
import { NOTHING, signedIn } from '../../http/access.ts';
import { createOnce } from '../../http/idempotency.ts';
import { inRequest, principalOf, sessionOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { deleteView, saveView } from './save-view.ts';
import { listViews, type Owner } from './views.queries.ts';

const ownerOf = (request: FastifyRequest): Owner => ({
  userId: sessionOf(request).userId,
  permissions: principalOf(request).permissions,
});

export const viewRoutes = routesOf('Vistas', (app, context) => {
  const { db } = context;

  app.get(
    '/licenses/api/views/',
    {
      config: signedIn(),
      schema: {
        summary: 'Listar las vistas propias y las compartidas',
        querystring: viewListQuery,
        response: { 200: viewList },
      },
    },
    async (request) => ({ results: await listViews(db, ownerOf(request), request.query.screen) }),
  );

  app.post(
    '/licenses/api/views/',
    {
      config: signedIn({ writes: NOTHING, once: true }),
      schema: { summary: 'Guardar una vista', body: viewCreate, response: { 201: view } },
    },
    (request, reply) =>
      createOnce(context, request, reply, (scope) => saveView(scope, ownerOf(request), request.body)),
  );

  app.delete(
    '/licenses/api/views/:id(^\\d+$)/',
    {
      config: signedIn({ writes: NOTHING }),
      schema: { summary: 'Eliminar una vista', params: idParams, response: { 200: done } },
    },
    async (request) => {
      await inRequest(context, request, (scope) => deleteView(scope, ownerOf(request), request.params.id));
      return { success: true as const, message: VIEW_RESULTS.deleted };
    },
  );
});
