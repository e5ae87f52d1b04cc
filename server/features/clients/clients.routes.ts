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
import { recordRoutes } from '../../records/plain-routes.ts';
import type { Scope } from '../../scope.ts';
import { clientRecord } from './client.record.ts';
import { clientAdvice } from './client-advice.ts';
import { clientList } from './client-list.ts';
import { findDuplicates } from './find-duplicates.ts';
import { changeClients, createClient, replaceClient } from './save-client.ts';

const advise = (_scope: Scope, client: ClientDetails, request: FastifyRequest) =>
  clientAdvice(client, request.sentBody);

/** The clients that a new one may be, for a caller who may read them (INPUT-19). */
async function duplicatesOf({ tx }: Scope, client: ClientDetails, request: FastifyRequest) {
  if (!principalOf(request).permissions.has('clients:read')) return {};
  const [found = []] = await findDuplicates(tx, [client]);
  const others = found.filter(({ id }) => id !== client.id);
  return others.length === 0 ? {} : { duplicates: others };
}

export const clientRoutes = recordRoutes({
  tag: 'Clientes',
  area: 'clients',
  summaries: {
    list: 'Listar clientes',
    create: 'Crear un cliente',
    read: 'Ver un cliente',
    update: 'Actualizar un cliente',
    delete: 'Eliminar un cliente',
  },
  record: clientRecord,
  list: clientList,
  page: clientPage,
  file: {
    summary: 'Exportar clientes (CSV o Excel)',
    name: 'clientes',
    title: LABELS.clients,
    columns: EXPORT_COLUMNS.clients,
    query: clientExportQuery,
  },
  answer: clientDetails,
  saved: savedClient,
  create: {
    body: clientCreate,
    run: createClient,
    advise: async (scope, client, request) => ({
      ...advise(scope, client, request),
      ...(await duplicatesOf(scope, client, request)),
    }),
  },
  update: { body: clientUpdate, run: replaceClient, advise },
  bulk: { summary: 'Actualizar varios clientes', body: clientBulkUpdate, run: changeClients },
  deletion: {
    message: CLIENT_RESULTS.deleted,
    errors: { 409: 'Tiene licencias asociadas (in_use), o se está fusionando (conflict)' },
  },
  ofList: (app, { db }) =>
    void app.get(
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
      async ({ query }) => ({ results: (await findDuplicates(db, [query]))[0] ?? [] }),
    ),
});
