import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/base/errors.ts';
import { bulkResult, idParams } from '../../../contract/base/page.ts';
import { EXPORT_COLUMNS } from '../../../contract/imports/import-fields.ts';
import {
  SOFTWARE_MESSAGES,
  SOFTWARE_RESULTS,
  software,
  softwareBulkUpdate,
  softwareCreate,
  softwareExportQuery,
  softwarePage,
  softwareUpdate,
} from '../../../contract/licenses/software.ts';
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
import { changeSoftware, createSoftware, registerSoftware, replaceSoftware } from './save-software.ts';
import { findSoftware } from './software.queries.ts';
import { softwareRecord } from './software.record.ts';
import { softwareList } from './software-list.ts';

const tags = ['Software'];
const IN_USE = { 409: 'Tiene licencias asociadas (in_use)' };
const CONFLICT = { 409: true } as const;

export const softwareRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, config } = context;
    const { timeZone } = config;

    app.get(
      '/licenses/api/software/',
      {
        config: can('software:read'),
        schema: {
          tags,
          summary: 'Listar software',
          querystring: softwareList.query,
          response: { 200: softwarePage },
        },
      },
      (request) => softwareList.page(db, request.query, { now: now(), timeZone }, listUrl(context, request)),
    );

    app.post(
      '/licenses/api/software/',
      {
        config: can('software:write', { writes: ['software.created'], once: true }),
        schema: { tags, summary: 'Crear un software', body: softwareCreate, response: { 201: software } },
      },
      (request, reply) => createOnce(context, request, reply, (scope) => createSoftware(scope, request.body)),
    );

    app.post(
      '/licenses/api/software/register/',
      {
        config: can('software:write', { writes: ['software.created'], errors: CONFLICT }),
        schema: {
          tags,
          summary: 'Registrar un software, o encontrar el que ya existe',
          body: softwareCreate,
          response: { 200: software, 201: software },
        },
      },
      async (request, reply) => {
        const result = await inRequest(context, request, (scope) => registerSoftware(scope, request.body));
        return reply.code(result.isNew ? 201 : 200).send(result.software);
      },
    );

    app.get(
      '/licenses/api/software/export/',
      {
        config: can('software:read'),
        schema: { tags, summary: 'Exportar software (CSV)', querystring: softwareExportQuery },
      },
      (request, reply) =>
        sendCsv(
          context,
          reply,
          'software',
          EXPORT_COLUMNS.software,
          softwareList.export(db, request.query, { now: now(), timeZone }),
        ),
    );

    app.patch(
      '/licenses/api/software/bulk_update/',
      {
        config: can('software:write', { writes: ['software.updated'] }),
        schema: {
          tags,
          summary: 'Activar o desactivar varios',
          body: softwareBulkUpdate,
          response: { 200: bulkResult },
        },
      },
      async (request) =>
        bulkAnswer(
          request.body.ids,
          await inRequest(context, request, (scope) => changeSoftware(scope, request.body)),
        ),
    );

    app.get(
      '/licenses/api/software/:id(^\\d+$)/',
      {
        config: can('software:read'),
        schema: { tags, summary: 'Ver un software', params: idParams, response: { 200: software } },
      },
      async (request, reply) => {
        const found = await findSoftware(db, request.params.id, now());
        if (!found) throw notFound(SOFTWARE_MESSAGES.notFound);
        reply.header('etag', etagOf(found.updated_at));
        return found;
      },
    );

    app.route({
      method: SAVING,
      url: '/licenses/api/software/:id(^\\d+$)/',
      config: can('software:write', { writes: ['software.updated'], once: true }),
      schema: {
        tags,
        summary: 'Actualizar un software',
        params: idParams,
        body: softwareUpdate,
        response: { 200: software },
      },
      handler: (request, reply) =>
        saveOnce(context, request, reply, (scope) => replaceSoftware(scope, request.params.id, request.body)),
    });

    app.delete(
      '/licenses/api/software/:id(^\\d+$)/',
      {
        config: can('software:delete', { writes: ['software.deleted'], errors: IN_USE }),
        schema: { tags, summary: 'Eliminar un software', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await inRequest(context, request, (scope) => deleteRecord(scope, softwareRecord, request.params.id));
        return { success: true as const, message: SOFTWARE_RESULTS.deleted };
      },
    );
  };
