import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/base/errors.ts';
import { idParams } from '../../../contract/base/page.ts';
import {
  LICENSE_TYPE_MESSAGES,
  LICENSE_TYPE_RESULTS,
  licenseType,
  licenseTypePage,
} from '../../../contract/licenses/license-types.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { createOnce, SAVING, saveOnce } from '../../http/idempotency.ts';
import { listUrl } from '../../http/list-url.ts';
import { inRequest } from '../../http/request-scope.ts';
import { etagOf } from '../../http/version.ts';
import { deleteRecord } from '../../records/save-record.ts';
import { licenseTypeRecord } from './license-type.record.ts';
import { licenseTypeCreateBody, licenseTypeUpdateBody } from './license-type-body.ts';
import { licenseTypeList } from './license-type-list.ts';
import { findLicenseType } from './license-types.queries.ts';
import { createLicenseType, replaceLicenseType, toggleLicenseType } from './save-license-type.ts';

const tags = ['Tipos de licencia'];

export const licenseTypeRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now } = context;
    const { timeZone } = context.config;

    app.get(
      '/licenses/api/license-types/',
      {
        config: can('license_types:read'),
        schema: {
          tags,
          summary: 'Listar tipos de licencia',
          querystring: licenseTypeList.query,
          response: { 200: licenseTypePage },
        },
      },
      (request) =>
        licenseTypeList.page(db, request.query, { now: now(), timeZone }, listUrl(context, request)),
    );

    app.post(
      '/licenses/api/license-types/',
      {
        config: can('license_types:write', { writes: ['license_type.created'], once: true }),
        schema: {
          tags,
          summary: 'Crear un tipo de licencia',
          body: licenseTypeCreateBody,
          response: { 201: licenseType },
        },
      },
      (request, reply) =>
        createOnce(context, request, reply, (scope) => createLicenseType(scope, request.body)),
    );

    app.get(
      '/licenses/api/license-types/:id(^\\d+$)/',
      {
        config: can('license_types:read'),
        schema: {
          tags,
          summary: 'Ver un tipo de licencia',
          params: idParams,
          response: { 200: licenseType },
        },
      },
      async (request, reply) => {
        const found = await findLicenseType(db, request.params.id);
        if (!found) throw notFound(LICENSE_TYPE_MESSAGES.notFound);
        reply.header('etag', etagOf(found.updated_at));
        return found;
      },
    );

    app.route({
      method: SAVING,
      url: '/licenses/api/license-types/:id(^\\d+$)/',
      config: can('license_types:write', { writes: ['license_type.updated'], once: true }),
      schema: {
        tags,
        summary: 'Actualizar un tipo de licencia',
        params: idParams,
        body: licenseTypeUpdateBody,
        response: { 200: licenseType },
      },
      handler: (request, reply) =>
        saveOnce(context, request, reply, (scope) =>
          replaceLicenseType(scope, request.params.id, request.body),
        ),
    });

    app.patch(
      '/licenses/api/license-types/:id(^\\d+$)/toggle-status/',
      {
        config: can('license_types:write', { writes: ['license_type.updated'] }),
        schema: {
          tags,
          summary: 'Activar o desactivar un tipo de licencia',
          params: idParams,
          response: { 200: licenseType },
        },
      },
      async (request, reply) => {
        const toggled = await inRequest(context, request, (scope) =>
          toggleLicenseType(scope, request.params.id),
        );
        reply.header('etag', etagOf(toggled.updated_at));
        return toggled;
      },
    );

    app.delete(
      '/licenses/api/license-types/:id(^\\d+$)/',
      {
        config: can('license_types:delete', { writes: ['license_type.deleted'] }),
        schema: {
          tags,
          summary: 'Eliminar un tipo de licencia',
          params: idParams,
          response: { 200: done },
        },
      },
      async (request) => {
        await inRequest(context, request, (scope) =>
          deleteRecord(scope, licenseTypeRecord, request.params.id),
        );
        return { success: true as const, message: LICENSE_TYPE_RESULTS.deleted };
      },
    );
  };
