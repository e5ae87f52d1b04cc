import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  CLIENT_MESSAGES,
  CLIENT_RESULTS,
  clientBulkUpdate,
  clientCreate,
  clientDetails,
  clientListQuery,
  clientPage,
  clientUpdate,
} from '../../../contract/clients.ts';
import { done } from '../../../contract/errors.ts';
import { bulkResult, idParams } from '../../../contract/page.ts';
import { type AppContext, STAFF } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { bulkAnswer } from '../../lib/bulk.ts';
import { sendCsv } from '../../lib/csv-reply.ts';
import { createOnce } from '../../lib/idempotency.ts';
import { pageRequestOf } from '../../lib/list-query.ts';
import { toPage } from '../../lib/paging.ts';
import { etagOf } from '../../lib/version.ts';
import { listClients, matchClients } from './client-list.queries.ts';
import { updateClients } from './clients.queries.ts';
import { clientCsvColumns, clientsForExport } from './export-clients.ts';
import { removeClient } from './remove-client.ts';
import { clientDetailsOf, createClient, replaceClient } from './save-client.ts';

const tags = ['Clientes'];

export const clientRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now } = context;

    app.get(
      '/licenses/api/clients/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Listar clientes',
          querystring: clientListQuery,
          response: { 200: clientPage },
        },
      },
      async (request) => {
        const page = pageRequestOf(request.query);
        const matches = await matchClients(db, request.query);
        const rows = await listClients(db, request.query, matches, page, now());
        return toPage(page, matches.count, rows, request.url);
      },
    );

    app.post(
      '/licenses/api/clients/',
      {
        config: STAFF,
        schema: { tags, summary: 'Crear un cliente', body: clientCreate, response: { 201: clientDetails } },
      },
      (request, reply) =>
        createOnce(context, request, reply, (db) => createClient(db, request.body, now()), {
          isOneStatement: true,
        }),
    );

    app.get(
      '/licenses/api/clients/export/',
      {
        config: STAFF,
        schema: { tags, summary: 'Exportar clientes (CSV)', querystring: clientListQuery },
      },
      (request, reply) =>
        sendCsv(context, reply, 'clientes', clientCsvColumns, clientsForExport(db, request.query, now())),
    );

    app.patch(
      '/licenses/api/clients/bulk_update/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Actualizar varios clientes',
          body: clientBulkUpdate,
          response: { 200: bulkResult },
        },
      },
      async (request) => {
        const { ids, updates } = request.body;
        return bulkAnswer(
          ids,
          await db.transaction().execute((tx) => updateClients(tx, ids, updates, now())),
        );
      },
    );

    app.get(
      '/licenses/api/clients/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: { tags, summary: 'Ver un cliente', params: idParams, response: { 200: clientDetails } },
      },
      async (request, reply) => {
        const client = await clientDetailsOf(db, request.params.id, context);
        if (!client) throw notFound(CLIENT_MESSAGES.notFound);
        reply.header('etag', etagOf(client.updated_at));
        return client;
      },
    );

    app.put(
      '/licenses/api/clients/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Actualizar un cliente',
          params: idParams,
          body: clientUpdate,
          response: { 200: clientDetails },
        },
      },
      async (request, reply) => {
        const client = await replaceClient(
          context,
          request.params.id,
          request.body,
          request.headers['if-match'],
        );
        reply.header('etag', etagOf(client.updated_at));
        return client;
      },
    );

    app.delete(
      '/licenses/api/clients/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: { tags, summary: 'Eliminar un cliente', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await removeClient(context, request.params.id, request.headers['if-match']);
        return { success: true as const, message: CLIENT_RESULTS.deleted };
      },
    );
  };
