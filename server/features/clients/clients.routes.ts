import { bulkResult } from '../../../contract/base/page.ts';
import {
  CLIENT_RESULTS,
  clientBulkUpdate,
  clientCreate,
  clientDetails,
  clientExportQuery,
  clientPage,
  clientUpdate,
  savedClient,
} from '../../../contract/clients/clients.ts';
import { EXPORT_COLUMNS } from '../../../contract/imports/import-fields.ts';
import { can } from '../../http/access.ts';
import { sendCsv } from '../../http/csv-reply.ts';
import { createOnce } from '../../http/idempotency.ts';
import { listUrl } from '../../http/list-url.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { bulkAnswer } from '../../lists/bulk.ts';
import { addDeleteRoute, addRecordRoutes } from '../../records/record-routes.ts';
import { clientRecord } from './client.record.ts';
import { clientList } from './client-list.ts';
import { changeClients, createClient, replaceClient } from './save-client.ts';

const IN_USE = { 409: 'Tiene licencias asociadas (in_use)' };

const ONE = '/licenses/api/clients/:id(^\\d+$)/';

export const clientRoutes = routesOf('Clientes', (app, context) => {
  const { db, now } = context;
  const { timeZone } = context.config;

  app.get(
    '/licenses/api/clients/',
    {
      config: can('clients:read'),
      schema: { summary: 'Listar clientes', querystring: clientList.query, response: { 200: clientPage } },
    },
    (request) => clientList.page(db, request.query, { now: now(), timeZone }, listUrl(context, request)),
  );

  app.post(
    '/licenses/api/clients/',
    {
      config: can('clients:write', { writes: ['client.created'], once: true }),
      schema: { summary: 'Crear un cliente', body: clientCreate, response: { 201: savedClient } },
    },
    (request, reply) => createOnce(context, request, reply, (scope) => createClient(scope, request.body)),
  );

  app.get(
    '/licenses/api/clients/export/',
    {
      config: can('clients:read'),
      schema: { summary: 'Exportar clientes (CSV)', querystring: clientExportQuery },
    },
    (request, reply) =>
      sendCsv(
        context,
        reply,
        'clientes',
        EXPORT_COLUMNS.clients,
        clientList.export(db, request.query, { now: now(), timeZone }),
      ),
  );

  app.patch(
    '/licenses/api/clients/bulk_update/',
    {
      config: can('clients:write', { writes: ['client.updated'] }),
      schema: {
        summary: 'Actualizar varios clientes',
        body: clientBulkUpdate,
        response: { 200: bulkResult },
      },
    },
    async (request) =>
      bulkAnswer(
        request.body.ids,
        await inRequest(context, request, (scope) => changeClients(scope, request.body)),
      ),
  );

  addRecordRoutes(app, context, clientRecord, {
    url: ONE,
    read: { config: can('clients:read'), summary: 'Ver un cliente', answer: clientDetails },
    save: {
      config: can('clients:write', { writes: ['client.updated'], once: true }),
      summary: 'Actualizar un cliente',
      body: clientUpdate,
      answer: savedClient,
      run: replaceClient,
    },
  });
  addDeleteRoute(app, context, clientRecord, {
    url: ONE,
    config: can('clients:delete', { writes: ['client.deleted'], errors: IN_USE }),
    summary: 'Eliminar un cliente',
    message: CLIENT_RESULTS.deleted,
  });
});
