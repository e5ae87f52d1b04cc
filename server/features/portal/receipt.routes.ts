import type { FastifyRequest } from 'fastify';
import { payCode, payReceipt, payReceiptQuery } from '../../../contract/payments/pay-page.ts';
import type { AppContext } from '../../context.ts';
import type { PaymentRequestRow } from '../../db/tables.ts';
import { anyone } from '../../http/access.ts';
import { routesOf } from '../../http/routes.ts';
import { PAY, requestOfCode, UNKNOWN_CODE } from '../payments/pay-code.ts';
import { receiptOf } from '../payments/receipt.ts';
import { findPrincipal } from '../people/sign-in/authenticate.ts';
import { portalClientOf } from './enter-portal.ts';

/**
 * Whether the reader of a receipt may know whose it is: staff who may see payments, and the client of the request in
 * the portal. The code alone says no name (MONEY-12).
 */
async function mayKnow(
  context: AppContext,
  request: FastifyRequest,
  { client_id }: PaymentRequestRow,
): Promise<boolean> {
  const staff = await findPrincipal(context, request);
  if (staff?.permissions.has('payments:read') && !staff.session?.mustSetUpMfa) return true;
  return (await portalClientOf(context, request)) === client_id;
}

/** Here, and not beside the other calls of the payment page, because only the portal knows who is signed in there. */
export const receiptRoutes = routesOf('Pago', (app, context) => {
  app.get(
    `${PAY}receipt/`,
    {
      config: anyone({
        onPortalHost: true,
        errors: { 404: `${UNKNOWN_CODE}, o el cobro no tiene este pago`, 429: true },
      }),
      schema: {
        summary: 'Ver el recibo de un pago',
        description:
          'Con solo el código, el cliente se ve por sus iniciales; con payments:read, o con su sesión del portal, por su nombre y su RFC o CUIT. No es un comprobante fiscal.',
        params: payCode,
        querystring: payReceiptQuery,
        response: { 200: payReceipt },
      },
    },
    async (request) => {
      const found = await requestOfCode(context, request);
      const isNamed = await mayKnow(context, request, found);
      return receiptOf(context, found, { payment: request.query.payment, isNamed });
    },
  );
});
