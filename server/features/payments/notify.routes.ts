import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ERROR_CODES } from '../../../contract/base/errors.ts';
import { accountProviderParams } from '../../../contract/payments/payment-settings.ts';
import { PAYMENT_LIMITS, PAYMENTS_PATH } from '../../../contract/payments/payment-words.ts';
import { notificationAnswer } from '../../../contract/payments/payments.ts';
import type { AppContext } from '../../context.ts';
import { AppError, fault, invalid } from '../../errors.ts';
import { anyone, NOTHING } from '../../http/access.ts';
import { routesOf } from '../../http/routes.ts';
import { takeNotification } from './take-notification.ts';

/**
 * The notifications of providers (PAY-04). They are not accepted on the portal's separate host (PORTAL-07), but under
 * every other name: a provider keeps the address that it was given.
 */
export const notifyRoutes = routesOf('Cobros', async (app, context) => {
  await app.register(notifications(context));
});

/** A separate plugin that reads the body as text, because a signature is over the exact text. */
const notifications =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    app.addContentTypeParser('*', (_request, _body, done) =>
      done(new AppError(415, 'unsupported_media_type')),
    );

    app.post(
      `${PAYMENTS_PATH}:provider/notify/`,
      {
        bodyLimit: PAYMENT_LIMITS.notificationBytes,
        config: anyone({
          writes: NOTHING,
          everyHost: true,
          errors: { 400: 'La firma no es correcta o es antigua (invalid)', 413: true, 415: true },
        }),
        schema: {
          summary: 'Recibir un aviso de un proveedor de pagos',
          description: 'Solo para Mercado Pago y Stripe. El aviso no decide nada: se pregunta al proveedor.',
          params: accountProviderParams,
          body: z.unknown(),
          response: { 200: notificationAnswer },
        },
      },
      async ({ params, body, headers, query }) => {
        const text = typeof body === 'string' ? body : '';
        if (text.trim() !== '' && !isJsonObject(text)) {
          throw invalid({ body: [fault('invalid', ERROR_CODES.invalid)] });
        }
        await takeNotification(context, params.provider, {
          text,
          headers,
          query: typeof query === 'object' && query !== null ? { ...query } : {},
        });
        return { success: true as const };
      },
    );
  };

function isJsonObject(text: string): boolean {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json);
  } catch {
    return false;
  }
}
