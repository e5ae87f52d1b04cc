import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/errors.ts';
import {
  LICENSE_TYPE_MESSAGES,
  LICENSE_TYPE_RESULTS,
  licenseType,
  licenseTypePage,
} from '../../../contract/license-types.ts';
import { idParams } from '../../../contract/page.ts';
import { type AppContext, STAFF } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { createOnce } from '../../lib/idempotency.ts';
import { etagOf } from '../../lib/version.ts';
import { licenseTypeCreateBody, licenseTypeUpdateBody } from './license-type-body.ts';
import { licenseTypeList } from './license-type-list.ts';
import { deleteLicenseType, findLicenseType } from './license-types.queries.ts';
import { createLicenseType, replaceLicenseType, toggleLicenseType } from './save-license-type.ts';

const tags = ['Tipos de licencia'];

export const licenseTypeRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, config } = context;

    app.get(
      '/licenses/api/license-types/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Listar tipos de licencia',
          querystring: licenseTypeList.query,
          response: { 200: licenseTypePage },
        },
      },
      (request) =>
        licenseTypeList.page(db, request.query, { now: now(), timeZone: config.timeZone }, request.url),
    );

    app.post(
      '/licenses/api/license-types/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Crear un tipo de licencia',
          body: licenseTypeCreateBody,
          response: { 201: licenseType },
        },
      },
      (request, reply) =>
        createOnce(context, request, reply, (tx) => createLicenseType(tx, request.body, now())),
    );

    app.get(
      '/licenses/api/license-types/:id(^\\d+$)/',
      {
        config: STAFF,
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

    app.put(
      '/licenses/api/license-types/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Actualizar un tipo de licencia',
          params: idParams,
          body: licenseTypeUpdateBody,
          response: { 200: licenseType },
        },
      },
      async (request, reply) => {
        const saved = await replaceLicenseType(
          context,
          request.params.id,
          request.body,
          request.headers['if-match'],
        );
        reply.header('etag', etagOf(saved.updated_at));
        return saved;
      },
    );

    app.patch(
      '/licenses/api/license-types/:id(^\\d+$)/toggle-status/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Activar o desactivar un tipo de licencia',
          params: idParams,
          response: { 200: licenseType },
        },
      },
      async (request, reply) => {
        const toggled = await toggleLicenseType(context, request.params.id);
        reply.header('etag', etagOf(toggled.updated_at));
        return toggled;
      },
    );

    app.delete(
      '/licenses/api/license-types/:id(^\\d+$)/',
      {
        config: STAFF,
        schema: {
          tags,
          summary: 'Eliminar un tipo de licencia',
          params: idParams,
          response: { 200: done },
        },
      },
      async (request) => {
        if (!(await deleteLicenseType(db, request.params.id))) throw notFound(LICENSE_TYPE_MESSAGES.notFound);
        return { success: true as const, message: LICENSE_TYPE_RESULTS.deleted };
      },
    );
  };
