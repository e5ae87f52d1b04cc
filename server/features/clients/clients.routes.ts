import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/base/errors.ts';
import { bulkResult, idParams } from '../../../contract/base/page.ts';
import {
  CLIENT_MESSAGES,
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
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { sendCsv } from '../../http/csv-reply.ts';
import { createOnce, SAVING, saveOnce } from '../../http/idempotency.ts';
import { listUrl } from '../../http/list-url.ts';
import { inRequest } from '../../http/request-scope.ts';
import { etagOf } from '../../http/version.ts';
import { bulkAnswer } from '../../lists/bulk.ts';
import { deleteRecord } from '../../records/save-record.ts';
import { clientDetailsOf, clientRecord } from './client.record.ts';
import { clientList } from './client-list.ts';
import { findClient } from './clients.queries.ts';
import { changeClients, createClient, replaceClient } from './save-client.ts';

const tags = ['Clientes'];
const IN_USE = { 409: 'Tiene licencias asociadas (in_use)' };

export const clientRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now } = context;
    const { timeZone } = context.config;

    app.get(
      '/licenses/api/clients/',
      {
        config: can('clients:read'),
        schema: {
          tags,
          summary: 'Listar clientes',
          querystring: clientList.query,
          response: { 200: clientPage },
        },
      },
      (request) => clientList.page(db, request.query, { now: now(), timeZone }, listUrl(context, request)),
    );

    app.post(
      '/licenses/api/clients/',
      {
        config: can('clients:write', { writes: ['client.created'], once: true }),
        schema: { tags, summary: 'Crear un cliente', body: clientCreate, response: { 201: savedClient } },
      },
      (request, reply) => createOnce(context, request, reply, (scope) => createClient(scope, request.body)),
    );

    app.get(
      '/licenses/api/clients/export/',
      {
        config: can('clients:read'),
        schema: { tags, summary: 'Exportar clientes (CSV)', querystring: clientExportQuery },
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
          tags,
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

    app.get(
      '/licenses/api/clients/:id(^\\d+$)/',
      {
        config: can('clients:read'),
        schema: { tags, summary: 'Ver un cliente', params: idParams, response: { 200: clientDetails } },
      },
      async (request, reply) => {
        const at = now();
        const client = await findClient(db, request.params.id, at);
        if (!client) throw notFound(CLIENT_MESSAGES.notFound);
        reply.header('etag', etagOf(client.updated_at));
        return clientDetailsOf({ tx: db, now: at, timeZone }, client);
      },
    );

    app.route({
      method: SAVING,
      url: '/licenses/api/clients/:id(^\\d+$)/',
      config: can('clients:write', { writes: ['client.updated'], once: true }),
      schema: {
        tags,
        summary: 'Actualizar un cliente',
        params: idParams,
        body: clientUpdate,
        response: { 200: savedClient },
      },
      handler: (request, reply) =>
        saveOnce(context, request, reply, (scope) => replaceClient(scope, request.params.id, request.body)),
    });

    app.delete(
      '/licenses/api/clients/:id(^\\d+$)/',
      {
        config: can('clients:delete', { writes: ['client.deleted'], errors: IN_USE }),
        schema: { tags, summary: 'Eliminar un cliente', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await inRequest(context, request, (scope) => deleteRecord(scope, clientRecord, request.params.id));
        return { success: true as const, message: CLIENT_RESULTS.deleted };
      },
    );
  };
