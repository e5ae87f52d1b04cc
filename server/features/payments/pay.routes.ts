import type { FastifyRequest } from 'fastify';
import {
  payAddress,
  payCheckout,
  payCode,
  payDemo as payDemoBody,
  payPage,
} from '../../../contract/payments/pay-page.ts';
import { PAY_MESSAGES } from '../../../contract/payments/payment-words.ts';
import type { AppContext } from '../../context.ts';
import type { PaymentRequestRow } from '../../db/tables.ts';
import { notFound } from '../../errors.ts';
import { anyone, NOTHING } from '../../http/access.ts';
import { addressLimits } from '../../http/address-limits.ts';
import { routesOf } from '../../http/routes.ts';
import { countFailures, type Limit } from '../../limits/throttle.ts';
import { openCheckout } from './open-checkout.ts';
import { checkNow, findByCode, payDemo, payPageOf } from './pay-page.ts';

const PAY = '/licenses/api/pay/:code/';

/** Limits unknown codes from one address, as for certificates. */
const UNKNOWN_CODE_LIMIT: Limit = { failures: 20, windowMs: 10 * 60_000 };

const UNKNOWN = 'Ningún cobro tiene este código (not_found)';

/**
 * Finds the request of a code.
 * @throws notFound (404), rateLimited (429)
 */
async function requestOf(
  context: AppContext,
  request: Pick<FastifyRequest, 'ip'> & { params: { code: string } },
): Promise<PaymentRequestRow> {
  const found = await findByCode(context.db, request.params.code);
  if (found) return found;
  const limits = addressLimits('pay', request.ip, UNKNOWN_CODE_LIMIT);
  await countFailures(context.db, limits, context.now());
  throw notFound(PAY_MESSAGES.notFound);
}

export const payRoutes = routesOf('Pago', (app, context) => {
  app.get(
    PAY,
    {
      config: anyone({ onPortalHost: true, errors: { 404: UNKNOWN, 429: true } }),
      schema: { summary: 'Ver qué se paga', params: payCode, response: { 200: payPage } },
    },
    async (request) => payPageOf(context, (await requestOf(context, request)).id),
  );

  app.post(
    `${PAY}checkout/`,
    {
      config: anyone({
        onPortalHost: true,
        writes: NOTHING,
        errors: {
          404: UNKNOWN,
          409: 'El cobro ya no se puede pagar (conflict)',
          429: true,
          503: 'El proveedor de pagos no responde (unavailable)',
        },
      }),
      schema: {
        summary: 'Abrir la página de pago de un proveedor',
        params: payCode,
        body: payCheckout,
        response: { 200: payAddress },
      },
    },
    async (request) => {
      const found = await requestOf(context, request);
      const { code } = request.params;
      return { url: await openCheckout(context, found, code, request.body.provider) };
    },
  );

  app.post(
    `${PAY}check/`,
    {
      // The provider's answer is processed in transactions with another actor, which write their own events.
      config: anyone({ onPortalHost: true, writes: NOTHING, errors: { 404: UNKNOWN, 429: true } }),
      schema: {
        summary: 'Preguntar al proveedor si ya se pagó',
        params: payCode,
        response: { 200: payPage },
      },
    },
    async (request) => {
      const found = await requestOf(context, request);
      await checkNow(context, found);
      return payPageOf(context, found.id);
    },
  );

  app.post(
    `${PAY}demo/`,
    {
      config: anyone({
        onPortalHost: true,
        writes: NOTHING,
        errors: {
          404: `${UNKNOWN}, o el servidor no es de demostración`,
          409: 'El cobro ya no se puede pagar (conflict)',
          429: true,
        },
      }),
      schema: {
        summary: 'Decidir un pago de prueba',
        description: 'Solo en modo de demostración: sin dinero.',
        params: payCode,
        body: payDemoBody,
        response: { 200: payPage },
      },
    },
    async (request) => {
      if (!context.config.demo) throw notFound();
      const found = await requestOf(context, request);
      await payDemo(context, found, request.body.result);
      return payPageOf(context, found.id);
    },
  );
});
