import type { FastifyRequest } from 'fastify';
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
import { can } from '../../http/access.ts';
import { confirmedSession, inRequest, principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { withEtag } from '../../http/version.ts';
import { addDeleteRoute, addRecordRoutes } from '../../records/record-routes.ts';
import { checkUrl } from './check-url.ts';
import { changeWebhook, checkDeletion, createWebhook, rotateSecret, type Saver } from './save-webhook.ts';
import { webhookRecord } from './webhook.record.ts';
import { findWebhook, listWebhooks } from './webhooks.queries.ts';

const ONE = `${WEBHOOK_PATH}:id(^\\d+$)/`;

/** Of a webhook that gets events about staff. */
const STEP_UP = {
  403: 'Sin permiso (forbidden), o hay que confirmar la identidad, porque el webhook recibe eventos del personal (step_up_required)',
};

/**
 * No call whose answer contains a secret takes an Idempotency-Key, because the stored answer would contain the secret
 * (EVENT-04).
 */
export const webhookRoutes = routesOf('Webhooks', (app, context) => {
  const { db, now, secrets } = context;
  const saverOf = (request: FastifyRequest): Saver => ({
    permissions: principalOf(request).permissions,
    confirm: () => void confirmedSession(request, now()),
  });

  app.get(
    WEBHOOK_PATH,
    {
      config: can('webhooks:manage'),
      schema: { summary: 'Listar los webhooks', response: { 200: webhookList } },
    },
    async () => ({ results: await listWebhooks(db, now()) }),
  );

  app.post(
    WEBHOOK_PATH,
    {
      config: can('webhooks:manage', {
        writes: ['webhook.created'],
        errors: { ...STEP_UP, 409: `${WEBHOOK_MESSAGES.tooMany} (conflict)` },
      }),
      schema: { summary: 'Crear un webhook', body: webhookCreate, response: { 201: webhookWithSecret } },
    },
    async (request, reply) => {
      await checkUrl(context, request.body.url);
      const created = await inRequest(context, request, (scope) =>
        createWebhook(scope, saverOf(request), secrets, request.body),
      );
      return withEtag(reply.code(201), created);
    },
  );

  addRecordRoutes(app, context, webhookRecord, {
    url: ONE,
    read: {
      config: can('webhooks:manage'),
      summary: 'Ver un webhook',
      answer: webhook,
      find: ({ tx, now }, id) => findWebhook(tx, id, now),
    },
    save: {
      config: can('webhooks:manage', { writes: ['webhook.updated'], once: true, errors: STEP_UP }),
      summary: 'Cambiar un webhook',
      body: webhookUpdate,
      answer: webhook,
      check: async ({ url }) => {
        if (url !== undefined) await checkUrl(context, url);
      },
      run: (scope, id, body, request) => changeWebhook(scope, saverOf(request), id, body),
    },
  });
  addDeleteRoute(app, context, webhookRecord, {
    url: ONE,
    config: can('webhooks:manage', { writes: ['webhook.deleted'], errors: STEP_UP }),
    summary: 'Eliminar un webhook',
    message: WEBHOOK_RESULTS.deleted,
    check: (scope, id, request) => checkDeletion(scope, saverOf(request), id),
  });

  app.post(
    `${ONE}rotate_secret/`,
    {
      config: can('webhooks:manage', { writes: ['webhook.updated'], errors: STEP_UP }),
      schema: {
        summary: 'Reemplazar el secreto de un webhook',
        params: idParams,
        response: { 200: webhookWithSecret },
      },
    },
    (request) =>
      inRequest(context, request, (scope) =>
        rotateSecret(scope, saverOf(request), secrets, request.params.id),
      ),
  );
});
