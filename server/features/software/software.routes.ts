import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/errors.ts';
import { bulkResult, idParams } from '../../../contract/page.ts';
import {
  SOFTWARE_MESSAGES,
  SOFTWARE_RESULTS,
  software,
  softwareBulkUpdate,
  softwareCreate,
  softwarePage,
  softwareUpdate,
} from '../../../contract/software.ts';
import { type AppContext, STAFF } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { sendCsv } from '../../lib/csv-reply.ts';
import { createOnce } from '../../lib/idempotency.ts';
import { etagOf } from '../../lib/version.ts';
import { bulkAnswer } from '../../lists/bulk.ts';
import { softwareCsvColumns } from './export-software.ts';
import { removeSoftware } from './remove-software.ts';
import { createSoftware, registerSoftware, replaceSoftware } from './save-software.ts';
import { findSoftware, setSoftwareActive } from './software.queries.ts';
import { softwareList } from './software-list.ts';

const tags = ['Software'];

export const softwareRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, config } = context;
    const { timeZone } = config;

    app.get(
      '/licenses/api/software/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Listar software',
          querystring: softwareList.query,
          response: { 200: softwarePage },
        },
      },
      (request) => softwareList.page(db, request.query, { now: now(), timeZone }, request.url),
    );

    app.post(
      '/licenses/api/software/',
      {
        config: STAFF,
        schema: { tags, summary: 'Crear un software', body: softwareCreate, response: { 201: software } },
      },
      (request, reply) =>
        createOnce(context, request, reply, (tx) => createSoftware(tx, request.body, now())),
    );

    app.post(
      '/licenses/api/software/register/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Registrar un software, o encontrar el que ya existe',
          body: softwareCreate,
          response: { 200: software, 201: software },
        },
      },
      async (request, reply) => {
        const result = await db.transaction().execute((tx) => registerSoftware(tx, request.body, now()));
        return reply.code(result.isNew ? 201 : 200).send(result.software);
      },
    );

    app.get(
      '/licenses/api/software/export/',
      {
        config: STAFF,
        schema: { tags, summary: 'Exportar software (CSV)', querystring: softwareList.query },
      },
      (request, reply) =>
        sendCsv(
          context,
          reply,
          'software',
          softwareCsvColumns,
          softwareList.export(db, request.query, { now: now(), timeZone }),
        ),
    );

    app.patch(
      '/licenses/api/software/bulk_update/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Activar o desactivar varios',
          body: softwareBulkUpdate,
          response: { 200: bulkResult },
        },
      },
      async (request) => {
        const { ids, updates } = request.body;
        return bulkAnswer(
          ids,
          await db.transaction().execute((tx) => setSoftwareActive(tx, ids, updates.is_active, now())),
        );
      },
    );

    app.get(
      '/licenses/api/software/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: { tags, summary: 'Ver un software', params: idParams, response: { 200: software } },
      },
      async (request, reply) => {
        const found = await findSoftware(db, request.params.id, now());
        if (!found) throw notFound(SOFTWARE_MESSAGES.notFound);
        reply.header('etag', etagOf(found.updated_at));
        return found;
      },
    );

    app.put(
      '/licenses/api/software/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Actualizar un software',
          params: idParams,
          body: softwareUpdate,
          response: { 200: software },
        },
      },
      async (request, reply) => {
        const saved = await replaceSoftware(
          context,
          request.params.id,
          request.body,
          request.headers['if-match'],
        );
        reply.header('etag', etagOf(saved.updated_at));
        return saved;
      },
    );

    app.delete(
      '/licenses/api/software/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: { tags, summary: 'Eliminar un software', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await removeSoftware(db, request.params.id);
        return { success: true as const, message: SOFTWARE_RESULTS.deleted };
      },
    );
  };
