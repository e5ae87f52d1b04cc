import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../contract/base/errors.ts';
import { idParams } from '../../../contract/base/page.ts';
import {
  WEBHOOK_MESSAGES,
  WEBHOOK_PATH,
  WEBHOOK_RESULTS,
  webhook,
  webhookCreate,
  webhookList,
  webhookUpdate,
  webhookWithSecret,
} from '../../../contract/system/webhooks.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { SAVING, saveOnce } from '../../http/idempotency.ts';
import { inRequest, principalOf } from '../../http/request-scope.ts';
import { etagOf } from '../../http/version.ts';
import { deleteRecord } from '../../records/save-record.ts';
import { checkUrl } from './check-url.ts';
import { changeWebhook, createWebhook, rotateSecret } from './save-webhook.ts';
import { webhookRecord } from './webhook.record.ts';
import { findWebhook, listWebhooks } from './webhooks.queries.ts';

const tags = ['Webhooks'];
const ONE = `${WEBHOOK_PATH}:id(^\\d+$)/`;

/** No call here takes an Idempotency-Key: its stored answer would hold a secret (EVENT-04). */
export const webhookRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now, secrets } = context;

    app.get(
      WEBHOOK_PATH,
      {
        config: can('webhooks:manage'),
        schema: { tags, summary: 'Listar los webhooks', response: { 200: webhookList } },
      },
      async () => ({ results: await listWebhooks(db, now()) }),
    );

    app.post(
      WEBHOOK_PATH,
      {
        config: can('webhooks:manage', {
          writes: ['webhook.created'],
          errors: { 409: `${WEBHOOK_MESSAGES.tooMany} (conflict)` },
        }),
        schema: {
          tags,
          summary: 'Crear un webhook',
          body: webhookCreate,
          response: { 201: webhookWithSecret },
        },
      },
      async (request, reply) => {
        await checkUrl(context, request.body.url);
        const created = await inRequest(context, request, (scope) =>
          createWebhook(scope, principalOf(request), secrets, request.body),
        );
        return reply.code(201).header('etag', etagOf(created.updated_at)).send(created);
      },
    );

    app.get(
      ONE,
      {
        config: can('webhooks:manage'),
        schema: { tags, summary: 'Ver un webhook', params: idParams, response: { 200: webhook } },
      },
      async (request, reply) => {
        const found = await findWebhook(db, request.params.id, now());
        if (!found) throw notFound(WEBHOOK_MESSAGES.notFound);
        reply.header('etag', etagOf(found.updated_at));
        return found;
      },
    );

    app.route({
      method: SAVING,
      url: ONE,
      config: can('webhooks:manage', { writes: ['webhook.updated'], once: true }),
      schema: {
        tags,
        summary: 'Cambiar un webhook',
        params: idParams,
        body: webhookUpdate,
        response: { 200: webhook },
      },
      handler: async (request, reply) => {
        if (request.body.url !== undefined) await checkUrl(context, request.body.url);
        return saveOnce(context, request, reply, (scope) =>
          changeWebhook(scope, principalOf(request), request.params.id, request.body),
        );
      },
    });

    app.delete(
      ONE,
      {
        config: can('webhooks:manage', { writes: ['webhook.deleted'] }),
        schema: { tags, summary: 'Eliminar un webhook', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await inRequest(context, request, (scope) => deleteRecord(scope, webhookRecord, request.params.id));
        return { success: true as const, message: WEBHOOK_RESULTS.deleted };
      },
    );

    app.post(
      `${ONE}rotate_secret/`,
      {
        config: can('webhooks:manage', { writes: ['webhook.updated'] }),
        schema: {
          tags,
          summary: 'Reemplazar el secreto de un webhook',
          params: idParams,
          response: { 200: webhookWithSecret },
        },
      },
      (request) => inRequest(context, request, (scope) => rotateSecret(scope, secrets, request.params.id)),
    );
  };
