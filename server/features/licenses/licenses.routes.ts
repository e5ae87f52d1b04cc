import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/errors.ts';
import {
  LICENSE_MESSAGES,
  LICENSE_RESULTS,
  license,
  licenseBulkUpdate,
  licenseCreate,
  licenseGenerate,
  licenseKeyPreview,
  licensePage,
  licenseState,
  licenseUpdate,
  validation,
  validationResult,
} from '../../../contract/licenses.ts';
import { bulkResult, idParams } from '../../../contract/page.ts';
import { type AppContext, LICENSE_KEY, STAFF } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { sendCsv } from '../../lib/csv-reply.ts';
import { createOnce } from '../../lib/idempotency.ts';
import { etagOf } from '../../lib/version.ts';
import { bulkAnswer } from '../../lists/bulk.ts';
import { countUnknownKey, limitMachine } from '../installations/license-key-guard.ts';
import { changeLicense, changeLicenses } from './change-license.ts';
import { licenseCsvColumns } from './export-licenses.ts';
import { createLicenseKey, issueLicense } from './issue-license.ts';
import { licenseList } from './license-list.ts';
import { findLicense, findLicenseRow } from './licenses.queries.ts';
import { removeLicense } from './remove-license.ts';
import { resendLicenseMail } from './send-license-mail.ts';
import { validateLicense } from './validate-license.ts';

const tags = ['Licencias'];
const ONE = '/licenses/api/licenses/:id(^\\d+$)/';

export const licenseRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, config, nudgeOutbox } = context;
    const { timeZone } = config;

    app.get(
      '/licenses/api/licenses/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Listar licencias',
          querystring: licenseList.query,
          response: { 200: licensePage },
        },
      },
      (request) => licenseList.page(db, request.query, { now: now(), timeZone }, request.url),
    );

    app.post(
      '/licenses/api/licenses/',
      {
        config: STAFF,
        schema: { tags, summary: 'Crear una licencia', body: licenseCreate, response: { 201: license } },
      },
      async (request, reply) => {
        const issued = await createOnce(context, request, reply, (tx) =>
          issueLicense(tx, request.body, context),
        );
        nudgeOutbox();
        return issued;
      },
    );

    app.post(
      '/licenses/api/license/generate/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Generar una licencia',
          description: 'Con el cuerpo vacío solo propone una clave: responde 200 y no guarda nada.',
          body: licenseGenerate,
          response: { 200: licenseKeyPreview, 201: license },
        },
        // Nothing asked, nothing stored: a preview of a key (D085). Before validation, which would ask for a client.
        preValidation: async (request, reply) => {
          if (isEmptyObject(request.body)) {
            return reply.code(200).send({ success: true as const, license_key: createLicenseKey() });
          }
        },
      },
      async (request, reply) => {
        const issued = await createOnce(context, request, reply, (tx) =>
          issueLicense(tx, request.body, context),
        );
        nudgeOutbox();
        return issued;
      },
    );

    app.post(
      '/licenses/api/license/validate/',
      {
        config: LICENSE_KEY,
        schema: {
          tags,
          summary: 'Validar una licencia en una máquina',
          body: validation,
          response: { 200: validationResult },
        },
      },
      async (request) => {
        const { verdict, licenseId } = await validateLicense(context, request.body);
        if (licenseId === null) await countUnknownKey(context, request.ip);
        else limitMachine(context, licenseId, request.body.machine_id);
        return verdict;
      },
    );

    app.get(
      '/licenses/api/license/:id(^\\d+$)/status/',
      {
        config: STAFF,
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
        return {
          success: true as const,
          id: found.id,
          license_key: found.license_key,
          status: found.status,
          is_active: found.is_active,
          is_expired: found.is_expired,
          issued_date: found.issued_date,
          expiry_date: found.expiry_date,
          days_remaining: found.days_remaining,
          current_installations: found.current_installations,
          max_installations: found.max_installations,
          remaining_installations: found.remaining_installations,
        };
      },
    );

    app.patch(
      '/licenses/api/licenses/bulk_update/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Actualizar varias licencias',
          body: licenseBulkUpdate,
          response: { 200: bulkResult },
        },
      },
      async (request) => bulkAnswer(request.body.ids, await changeLicenses(context, request.body)),
    );

    app.get(
      '/licenses/api/licenses/export/',
      {
        config: STAFF,
        schema: { tags, summary: 'Exportar licencias (CSV)', querystring: licenseList.query },
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
        config: STAFF,
        schema: { tags, summary: 'Ver una licencia', params: idParams, response: { 200: license } },
      },
      async (request, reply) => {
        const found = await findLicense(db, request.params.id, now(), timeZone);
        if (!found) throw notFound(LICENSE_MESSAGES.notFound);
        reply.header('etag', etagOf(found.updated_at));
        return found;
      },
    );

    app.put(
      ONE,
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Actualizar una licencia',
          params: idParams,
          body: licenseUpdate,
          response: { 200: license },
        },
      },
      async (request, reply) => {
        const changed = await changeLicense(
          context,
          request.params.id,
          request.body,
          request.headers['if-match'],
        );
        reply.header('etag', etagOf(changed.updated_at));
        return changed;
      },
    );

    app.delete(
      ONE,
      {
        config: STAFF,
        schema: { tags, summary: 'Eliminar una licencia', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await removeLicense(context, request.params.id);
        return { success: true as const, message: LICENSE_RESULTS.deleted };
      },
    );

    app.post(
      '/licenses/api/licenses/:id(^\\d+$)/resend_email/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Volver a enviar el correo de una licencia',
          params: idParams,
          response: { 200: license },
        },
      },
      async (request) => {
        const queued = await resendLicenseMail(context, request.params.id);
        nudgeOutbox();
        return queued;
      },
    );
  };

const isEmptyObject = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
