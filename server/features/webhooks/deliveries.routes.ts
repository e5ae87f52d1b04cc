import type { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import {
  delivery,
  deliveryListQuery,
  deliveryPage,
  deliveryParams,
  rightOf,
  WEBHOOK_MESSAGES,
  WEBHOOK_PATH,
} from '../../../contract/system/webhooks.ts';
import type { DeliveryRecord } from '../../db/tables.ts';
import { forbidden, notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { actorOf, principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import type { Principal } from '../../principal.ts';
import { deliveryList, findDeliveryRecord, toDelivery } from './deliveries.queries.ts';
import { resendDelivery, sendTest } from './send-now.ts';
import { findWebhookRow } from './webhooks.queries.ts';

/** In a drill nothing is sent. */
const OUTBOUND_OFF = { 409: `${WEBHOOK_MESSAGES.outboundOff} (conflict)` };

const ONE = `${WEBHOOK_PATH}:id(^\\d+$)/`;
const DELIVERY = `${ONE}deliveries/:delivery(^\\d+$)/`;

export const webhookDeliveryRoutes = routesOf('Webhooks', (app, context) => {
  const { db } = context;

  /**
   * The message of a call, if the caller may read its event.
   * @throws notFound (404), forbidden (403)
   */
  async function readable(request: {
    params: z.output<typeof deliveryParams>;
    principal: Principal | null;
  }): Promise<DeliveryRecord> {
    const found = await findDeliveryRecord(db, request.params.id, request.params.delivery);
    if (!found) throw notFound(WEBHOOK_MESSAGES.deliveryNotFound);
    const { permissions } = principalOf(request);
    const right = rightOf(found.type);
    if (right !== null && !permissions.has(right)) throw forbidden();
    return found;
  }

  app.get(
    `${ONE}deliveries/`,
    {
      config: can('webhooks:manage'),
      schema: {
        summary: 'Listar los envíos de un webhook',
        params: idParams,
        querystring: deliveryListQuery,
        response: { 200: deliveryPage },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await findWebhookRow(db, id))) throw notFound(WEBHOOK_MESSAGES.notFound);
      const moment = { now: context.now(), timeZone: context.config.timeZone };
      return deliveryList.page(db, { ...request.query, webhook: id }, moment, request.url);
    },
  );

  app.get(
    DELIVERY,
    {
      config: can('webhooks:manage'),
      schema: { summary: 'Ver un envío', params: deliveryParams, response: { 200: delivery } },
    },
    async (request) => toDelivery(db, await readable(request)),
  );

  app.post(
    `${DELIVERY}resend/`,
    {
      config: can('webhooks:manage', { writes: NOTHING, errors: OUTBOUND_OFF }),
      schema: {
        summary: 'Enviar de nuevo un envío, con el mismo id',
        params: deliveryParams,
        response: { 200: delivery },
      },
    },
    async (request) => resendDelivery(context, await readable(request)),
  );

  app.post(
    `${ONE}test/`,
    {
      config: can('webhooks:manage', { writes: NOTHING, errors: OUTBOUND_OFF }),
      schema: { summary: 'Enviar una prueba a un webhook', params: idParams, response: { 200: delivery } },
    },
    (request) =>
      sendTest(context, request.params.id, {
        actor: actorOf(principalOf(request)),
        requestId: request.id,
      }),
  );
});
