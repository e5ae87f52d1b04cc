import type { z } from 'zod';
import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import type { FileColumn } from '../../../contract/base/file-columns.ts';
import { LABELS } from '../../../contract/base/labels.ts';
import { idParams } from '../../../contract/base/page.ts';
import { localDay } from '../../../contract/base/time.ts';
import {
  PAYMENT_METHOD_LABELS,
  PAYMENT_PROVIDER_LABELS,
  PAYMENT_STATE_LABELS,
  PAYMENTS_PATH,
} from '../../../contract/payments/payment-words.ts';
import {
  type Payment,
  payment,
  paymentExportQuery,
  paymentPage,
  paymentRefund,
} from '../../../contract/payments/payments.ts';
import { can } from '../../http/access.ts';
import { answerOnce, isAnswered } from '../../http/idempotency.ts';
import { confirmedSession } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { addListRoutes } from '../../records/record-routes.ts';
import { paymentList } from './payment-lists.ts';
import { findPayments } from './payments.queries.ts';
import { refundKeyOf, refundPayment } from './refund-payment.ts';

const currencyOf = ({ currency }: Payment) => currency;

/** The columns of the export. Without words, values are as in the API, so that programs can read them too. */
const columnsOf = (timeZone: string): FileColumn<Payment>[] => {
  const day = (instant: string | null) => instant && localDay(instant, timeZone);
  return [
    { header: 'ID', type: 'count', value: ({ id }) => id },
    { header: DETAIL_LABELS.date, type: 'day', value: ({ created_at }) => day(created_at) },
    { header: 'Fecha de Pago', type: 'day', value: ({ paid_at }) => day(paid_at) },
    { header: 'Proveedor', type: 'text', value: ({ provider }) => provider, words: PAYMENT_PROVIDER_LABELS },
    { header: 'ID del Proveedor', type: 'text', value: ({ provider_id }) => provider_id },
    { header: 'ID de Cobro', type: 'count', value: ({ payment_request }) => payment_request },
    { header: 'ID de Cliente', type: 'count', value: ({ client }) => client.id },
    { header: LABELS.client, type: 'text', value: ({ client }) => client.name },
    { header: LABELS.status, type: 'text', value: ({ state }) => state, words: PAYMENT_STATE_LABELS },
    { header: DETAIL_LABELS.amount, type: 'money', currency: currencyOf, value: ({ amount }) => amount },
    {
      header: 'Devuelto',
      type: 'money',
      currency: currencyOf,
      value: ({ refunded_amount }) => refunded_amount,
    },
    { header: LABELS.currency, type: 'text', value: ({ currency }) => currency },
    { header: 'Método', type: 'text', value: ({ method }) => method, words: PAYMENT_METHOD_LABELS },
    { header: DETAIL_LABELS.reference, type: 'text', value: ({ reference }) => reference },
    { header: 'Prueba', type: 'text', value: ({ test }) => (test ? 'Sí' : 'No') },
    {
      header: DETAIL_LABELS.withheld,
      type: 'money',
      currency: currencyOf,
      value: ({ withheld }) => withheld,
    },
  ];
};

export const paymentRoutes = routesOf('Cobros', (app, context) => {
  addListRoutes(app, context, paymentList, {
    url: PAYMENTS_PATH,
    config: can('payments:read'),
    summary: 'Listar los pagos',
    page: paymentPage,
    exports: {
      summary: 'Exportar los pagos (CSV o Excel)',
      name: 'pagos',
      title: 'Pagos',
      columns: columnsOf(context.config.timeZone),
      query: paymentExportQuery as z.ZodType<z.output<typeof paymentExportQuery>>,
    },
  });

  app.post(
    `${PAYMENTS_PATH}:id(^\\d+$)/refund/`,
    {
      config: can('payments:write', {
        // After a refund the provider's answer may also report other changes of the payment.
        writes: ['payment.refunded', 'payment.received', 'payment.disputed', 'license.suspended'],
        once: true,
        errors: {
          403: 'Sin permiso, o no es una persona (forbidden), o hay que confirmar la identidad (step_up_required)',
          409: 'El pago no está aprobado, no es de un proveedor, o hay otra devolución sin respuesta (conflict)',
          503: true,
        },
      }),
      schema: {
        summary: 'Devolver un pago',
        params: idParams,
        body: paymentRefund,
        response: { 202: payment },
      },
    },
    async (request, reply) => {
      const { userId } = confirmedSession(request, context.now());
      const { id } = request.params;
      if (!(await isAnswered(context, request))) {
        const key = refundKeyOf(userId, id, request.headers['idempotency-key']);
        await refundPayment(context, id, request.body, key);
      }
      return answerOnce(context, request, reply, async ({ tx }) => {
        const [found] = await findPayments(tx, [id]);
        return { status: 202, body: mustExist(found, `payment ${id}`) };
      });
    },
  );
});
