import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/base/errors.ts';
import { bulkResult, idParams } from '../../../contract/base/page.ts';
import {
  LICENSE_MESSAGES,
  LICENSE_RESULTS,
  license,
  licenseBulkUpdate,
  licenseCreate,
  licenseExportQuery,
  licenseGenerate,
  licenseKeyPreview,
  licensePage,
  licenseState,
  licenseUpdate,
} from '../../../contract/licenses/licenses.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { sendCsv } from '../../http/csv-reply.ts';
import { createOnce, SAVING, saveOnce } from '../../http/idempotency.ts';
import { listUrl } from '../../http/list-url.ts';
import { inRequest } from '../../http/request-scope.ts';
import { etagOf } from '../../http/version.ts';
import { bulkAnswer } from '../../lists/bulk.ts';
import { deleteRecord } from '../../records/save-record.ts';
import { changeLicense, changeLicenses } from './change-license.ts';
import { licenseCsvColumns } from './export-licenses.ts';
import { createLicenseKey, issueLicense } from './issue-license.ts';
import { licenseRecord } from './license.record.ts';
import { licenseList } from './license-list.ts';
import { findLicense, findLicenseRow } from './licenses.queries.ts';
import { resendLicenseMail } from './send-license-mail.ts';

const tags = ['Licencias'];
const ONE = '/licenses/api/licenses/:id(^\\d+$)/';

export const licenseRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now } = context;
    const { timeZone } = context.config;

    app.get(
      '/licenses/api/licenses/',
      {
        config: can('licenses:read'),
        schema: {
          tags,
          summary: 'Listar licencias',
          querystring: licenseList.query,
          response: { 200: licensePage },
        },
      },
      (request) => licenseList.page(db, request.query, { now: now(), timeZone }, listUrl(context, request)),
    );

    app.post(
      '/licenses/api/licenses/',
      {
        config: can('licenses:write', { writes: ['license.issued'], once: true }),
        schema: { tags, summary: 'Crear una licencia', body: licenseCreate, response: { 201: license } },
      },
      (request, reply) => createOnce(context, request, reply, (scope) => issueLicense(scope, request.body)),
    );

    app.post(
      '/licenses/api/license/generate/',
      {
        config: can('licenses:write', { writes: ['license.issued'], once: true }),
        schema: {
          tags,
          summary: 'Generar una licencia',
          description: 'Con el cuerpo vacío solo propone una clave: responde 200 y no guarda nada.',
          body: licenseGenerate,
          response: { 200: licenseKeyPreview, 201: license },
        },
        // An empty body previews a key and stores nothing (D085). It is handled before validation, which requires a
        // client.
        preValidation: async (request, reply) => {
          if (isEmptyObject(request.body)) {
            return reply.code(200).send({ success: true as const, license_key: createLicenseKey() });
          }
        },
      },
      (request, reply) => createOnce(context, request, reply, (scope) => issueLicense(scope, request.body)),
    );

    app.get(
      '/licenses/api/license/:id(^\\d+$)/status/',
      {
        config: can('licenses:read'),
        schema: {
          tags,
          summary: 'Ver el estado de una licencia',
          params: idParams,
          response: { 200: licenseState },
        },
      },
      async (request) => {
        const found = await findLicenseRow(db, request.params.id, now(), timeZone);
        if (!found) throw notFound(LICENSE_MESSAGES.notFound);
        return licenseState.parse({ success: true, ...found });
      },
    );

    app.patch(
      '/licenses/api/licenses/bulk_update/',
      {
        config: can('licenses:write', { writes: ['license.updated'] }),
        schema: {
          tags,
          summary: 'Actualizar varias licencias',
          body: licenseBulkUpdate,
          response: { 200: bulkResult },
        },
      },
      async (request) =>
        bulkAnswer(
          request.body.ids,
          await inRequest(context, request, (scope) => changeLicenses(scope, request.body)),
        ),
    );

    app.get(
      '/licenses/api/licenses/export/',
      {
        config: can('licenses:read'),
        schema: { tags, summary: 'Exportar licencias (CSV)', querystring: licenseExportQuery },
      },
      (request, reply) =>
        sendCsv(
          context,
          reply,
          'licencias',
          licenseCsvColumns,
          licenseList.export(db, request.query, { now: now(), timeZone }),
        ),
    );

    app.get(
      ONE,
      {
        config: can('licenses:read'),
        schema: { tags, summary: 'Ver una licencia', params: idParams, response: { 200: license } },
      },
      async (request, reply) => {
        const found = await findLicense(db, request.params.id, now(), timeZone);
        if (!found) throw notFound(LICENSE_MESSAGES.notFound);
        reply.header('etag', etagOf(found.updated_at));
        return found;
      },
    );

    app.route({
      method: SAVING,
      url: ONE,
      // Also the release of seats that had lapsed before their lease changes.
      config: can('licenses:write', { writes: ['license.updated', 'installation.released'], once: true }),
      schema: {
        tags,
        summary: 'Actualizar una licencia',
        params: idParams,
        body: licenseUpdate,
        response: { 200: license },
      },
      handler: (request, reply) =>
        saveOnce(context, request, reply, (scope) => changeLicense(scope, request.params.id, request.body)),
    });

    app.delete(
      ONE,
      {
        config: can('licenses:delete', { writes: ['license.deleted'] }),
        schema: { tags, summary: 'Eliminar una licencia', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await inRequest(context, request, (scope) => deleteRecord(scope, licenseRecord, request.params.id));
        return { success: true as const, message: LICENSE_RESULTS.deleted };
      },
    );

    app.post(
      '/licenses/api/licenses/:id(^\\d+$)/resend_email/',
      {
        config: can('mails:send', { writes: NOTHING }),
        schema: {
          tags,
          summary: 'Volver a enviar el correo de una licencia',
          params: idParams,
          response: { 200: license },
        },
      },
      (request) => inRequest(context, request, (scope) => resendLicenseMail(scope, request.params.id)),
    );
  };

const isEmptyObject = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
