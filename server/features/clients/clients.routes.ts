import type { FastifyRequest } from 'fastify';
import { LABELS } from '../../../contract/base/labels.ts';
import {
  CLIENT_RESULTS,
  type ClientDetails,
  clientBulkUpdate,
  clientCreate,
  clientDetails,
  clientExportQuery,
  clientPage,
  clientUpdate,
  savedClient,
} from '../../../contract/clients/clients.ts';
import { duplicatesAnswer, duplicatesQuery } from '../../../contract/clients/duplicates.ts';
import { EXPORT_COLUMNS } from '../../../contract/imports/import-fields.ts';
import { can } from '../../http/access.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import {
  addBulkUpdateRoute,
  addCreateRoute,
  addDeleteRoute,
  addListRoutes,
  addRecordRoutes,
} from '../../records/record-routes.ts';
import type { Scope } from '../../scope.ts';
import { clientRecord } from './client.record.ts';
import { clientAdvice } from './client-advice.ts';
import { clientList } from './client-list.ts';
import { findDuplicates } from './find-duplicates.ts';
import { changeClients, createClient, replaceClient } from './save-client.ts';

const IN_USE = { 409: 'Tiene licencias asociadas (in_use), o se está fusionando (conflict)' };

const advise = (_scope: Scope, client: ClientDetails, request: FastifyRequest) =>
  clientAdvice(client, request.sentBody);

/** The clients that a new one may be, for a caller who may read them (INPUT-19). */
async function duplicatesOf({ tx }: Scope, client: ClientDetails, request: FastifyRequest) {
  if (!principalOf(request).permissions.has('clients:read')) return {};
  const [found = []] = await findDuplicates(tx, [client]);
  const others = found.filter(({ id }) => id !== client.id);
  return others.length === 0 ? {} : { duplicates: others };
}

const ONE = '/licenses/api/clients/:id(^\\d+$)/';

export const clientRoutes = routesOf('Clientes', (app, context) => {
  addListRoutes(app, context, clientList, {
    url: '/licenses/api/clients/',
    config: can('clients:read'),
    summary: 'Listar clientes',
    page: clientPage,
    exports: {
      summary: 'Exportar clientes (CSV o Excel)',
      name: 'clientes',
      title: LABELS.clients,
      columns: EXPORT_COLUMNS.clients,
      query: clientExportQuery,
    },
  });

  addCreateRoute(app, context, {
    url: '/licenses/api/clients/',
    config: can('clients:write', { writes: ['client.created'], once: true }),
    summary: 'Crear un cliente',
    body: clientCreate,
    answer: savedClient,
    run: createClient,
    advise: async (scope, client, request) => ({
      ...advise(scope, client, request),
      ...(await duplicatesOf(scope, client, request)),
    }),
  });

  app.get(
    '/licenses/api/clients/duplicates/',
    {
      config: can('clients:read'),
      schema: {
        summary: 'Buscar clientes que quizá son el mismo',
        description:
          'Por el email sin su +etiqueta, el RFC o CUIT, el nombre, y los últimos diez dígitos del teléfono; hasta cinco.',
        querystring: duplicatesQuery,
        response: { 200: duplicatesAnswer },
      },
    },
    async ({ query }) => ({ results: (await findDuplicates(context.db, [query]))[0] ?? [] }),
  );

  addBulkUpdateRoute(app, context, {
    url: '/licenses/api/clients/bulk_update/',
    config: can('clients:write', { writes: ['client.updated'] }),
    summary: 'Actualizar varios clientes',
    body: clientBulkUpdate,
    run: changeClients,
  });

  addRecordRoutes(app, context, clientRecord, {
    url: ONE,
    read: { config: can('clients:read'), summary: 'Ver un cliente', answer: clientDetails },
    save: {
      config: can('clients:write', { writes: ['client.updated'], once: true }),
      summary: 'Actualizar un cliente',
      body: clientUpdate,
      answer: savedClient,
      run: replaceClient,
      advise,
    },
  });
  addDeleteRoute(app, context, clientRecord, {
    url: ONE,
    config: can('clients:delete', { writes: ['client.deleted'], errors: IN_USE }),
    summary: 'Eliminar un cliente',
    message: CLIENT_RESULTS.deleted,
  });
});
