import {
  payAddress,
  payCheckout,
  payCode,
  payDemo as payDemoBody,
  payNotice,
  payPage,
} from '../../../contract/payments/pay-page.ts';
import { notFound } from '../../errors.ts';
import { anyone, NOTHING } from '../../http/access.ts';
import { originOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { giveNotice } from './give-notice.ts';
import { openCheckout } from './open-checkout.ts';
import { PAY, requestOfCode, UNKNOWN_CODE } from './pay-code.ts';
import { checkNow, payDemo, payPageOf } from './pay-page.ts';

export const payRoutes = routesOf('Pago', (app, context) => {
  app.get(
    PAY,
    {
      config: anyone({ onPortalHost: true, errors: { 404: UNKNOWN_CODE, 429: true } }),
      schema: { summary: 'Ver qué se paga', params: payCode, response: { 200: payPage } },
    },
    async (request) => payPageOf(context, (await requestOfCode(context, request)).id),
  );

  app.post(
    `${PAY}checkout/`,
    {
      config: anyone({
        onPortalHost: true,
        writes: NOTHING,
        errors: {
          404: UNKNOWN_CODE,
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
      const found = await requestOfCode(context, request);
      const { code } = request.params;
      return { url: await openCheckout(context, found, code, request.body.provider) };
    },
  );

  app.post(
    `${PAY}check/`,
    {
      // The provider's answer is processed in transactions with another actor, which write their own events.
      config: anyone({ onPortalHost: true, writes: NOTHING, errors: { 404: UNKNOWN_CODE, 429: true } }),
      schema: {
        summary: 'Preguntar al proveedor si ya se pagó',
        params: payCode,
        response: { 200: payPage },
      },
    },
    async (request) => {
      const found = await requestOfCode(context, request);
      await checkNow(context, found);
      return payPageOf(context, found.id);
    },
  );

  app.post(
    `${PAY}notice/`,
    {
      config: anyone({
        onPortalHost: true,
        writes: ['payment_request.notified'],
        errors: {
          404: UNKNOWN_CODE,
          409: 'El cobro ya no se puede pagar (conflict)',
          429: true,
        },
      }),
      schema: {
        summary: 'Avisar que ya se hizo la transferencia',
        description:
          'No prueba nada y no cambia nada más: alguien del proveedor busca el dinero y lo confirma. Hasta 3 avisos al día por cobro, y 20 por hora desde una dirección.',
        params: payCode,
        body: payNotice,
        response: { 202: payPage },
      },
    },
    async (request, reply) => {
      const found = await requestOfCode(context, request);
      const { code } = request.params;
      await giveNotice(context, found, request.body, { code, origin: originOf(request), ip: request.ip });
      return reply.code(202).send(await payPageOf(context, found.id));
    },
  );

  app.post(
    `${PAY}demo/`,
    {
      config: anyone({
        onPortalHost: true,
        writes: NOTHING,
        errors: {
          404: `${UNKNOWN_CODE}, o el servidor no es de demostración`,
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
      const found = await requestOfCode(context, request);
      await payDemo(context, found, request.body.result);
      return payPageOf(context, found.id);
    },
  );
});
