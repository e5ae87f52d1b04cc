import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { idParams } from '../../../contract/page.ts';
import {
  delivery,
  deliveryListQuery,
  deliveryPage,
  deliveryParams,
  WEBHOOK_MESSAGES,
  WEBHOOK_PATH,
} from '../../../contract/webhooks.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { actorOf, principalOf } from '../../http/request-scope.ts';
import { resendDelivery, sendTest } from './by-hand.ts';
import { findDeliveryRecord, pageOfDeliveries, toDelivery } from './deliveries.queries.ts';
import { findWebhookRow } from './webhooks.queries.ts';

const tags = ['Webhooks'];
const ONE = `${WEBHOOK_PATH}:id(^\\d+$)/`;
const DELIVERY = `${ONE}deliveries/:delivery(^\\d+$)/`;

export const webhookDeliveryRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = context;

    app.get(
      `${ONE}deliveries/`,
      {
        config: can('webhooks:manage'),
        schema: {
          tags,
          summary: 'Listar los envíos de un webhook',
          params: idParams,
          querystring: deliveryListQuery,
          response: { 200: deliveryPage },
        },
      },
      async (request) => {
        const { id } = request.params;
        if (!(await findWebhookRow(db, id))) throw notFound(WEBHOOK_MESSAGES.notFound);
        return pageOfDeliveries(db, id, request.query, request.url);
      },
    );

    app.get(
      DELIVERY,
      {
        config: can('webhooks:manage'),
        schema: { tags, summary: 'Ver un envío', params: deliveryParams, response: { 200: delivery } },
      },
      async (request) => {
        const found = await findDeliveryRecord(db, request.params.id, request.params.delivery);
        if (!found) throw notFound(WEBHOOK_MESSAGES.deliveryNotFound);
        return toDelivery(db, found);
      },
    );

    app.post(
      `${DELIVERY}resend/`,
      {
        config: can('webhooks:manage', { writes: NOTHING }),
        schema: {
          tags,
          summary: 'Enviar de nuevo un envío, con el mismo id',
          params: deliveryParams,
          response: { 200: delivery },
        },
      },
      (request) => resendDelivery(context, request.params.id, request.params.delivery),
    );

    app.post(
      `${ONE}test/`,
      {
        config: can('webhooks:manage', { writes: NOTHING }),
        schema: {
          tags,
          summary: 'Enviar una prueba a un webhook',
          params: idParams,
          response: { 200: delivery },
        },
      },
      (request) =>
        sendTest(context, request.params.id, {
          actor: actorOf(principalOf(request)),
          requestId: request.id,
        }),
    );
  };
