import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  CLIENT_MESSAGES,
  CLIENT_RESULTS,
  clientBulkUpdate,
  clientCreate,
  clientDetails,
  clientPage,
  clientUpdate,
} from '../../../contract/clients.ts';
import { done } from '../../../contract/errors.ts';
import { bulkResult, idParams } from '../../../contract/page.ts';
import { type AppContext, STAFF } from '../../context.ts';
import { isForeignKeyViolation } from '../../db/dialect.ts';
import { inUse, notFound } from '../../errors.ts';
import { sendCsv } from '../../lib/csv-reply.ts';
import { createOnce } from '../../lib/idempotency.ts';
import { etagOf } from '../../lib/version.ts';
import { bulkAnswer } from '../../lists/bulk.ts';
import { clientList } from './client-list.ts';
import { countLicensesOfClient, deleteClient, updateClients } from './clients.queries.ts';
import { clientCsvColumns } from './export-clients.ts';
import { clientDetailsOf, createClient, replaceClient } from './save-client.ts';

const tags = ['Clientes'];

export const clientRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, config } = context;
    const { timeZone } = config;

    app.get(
      '/licenses/api/clients/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Listar clientes',
          querystring: clientList.query,
          response: { 200: clientPage },
        },
      },
      (request) => clientList.page(db, request.query, { now: now(), timeZone }, request.url),
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
        schema: { tags, summary: 'Exportar clientes (CSV)', querystring: clientList.query },
      },
      (request, reply) =>
        sendCsv(
          context,
          reply,
          'clientes',
          clientCsvColumns,
          clientList.export(db, request.query, { now: now(), timeZone }),
        ),
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
        const { id } = request.params;
        const isDeleted = await db
          .transaction()
          .execute(async (tx) => {
            const licenses = await countLicensesOfClient(tx, id);
            if (licenses > 0) throw clientInUse(licenses);
            return deleteClient(tx, id);
          })
          .catch((error) => {
            // A licence that was issued in between: the database says so.
            throw isForeignKeyViolation(error) ? clientInUse(1) : error;
          });
        if (!isDeleted) throw notFound(CLIENT_MESSAGES.notFound);
        return { success: true as const, message: CLIENT_RESULTS.deleted };
      },
    );
  };

/** D013 */
const clientInUse = (licenses: number) =>
  inUse(
    `No se puede eliminar el cliente porque tiene ${licenses} ${licenses === 1 ? 'licencia asociada' : 'licencias asociadas'}.`,
  );
