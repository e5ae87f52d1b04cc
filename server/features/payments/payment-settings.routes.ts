import {
  accountProviderParams,
  paymentAccountTest,
  paymentSettings,
  paymentSettingsSaved,
  paymentSettingsUpdate,
} from '../../../contract/payments/payment-settings.ts';
import { PAYMENT_SETTINGS_PATH } from '../../../contract/payments/payment-words.ts';
import { can, NOTHING } from '../../http/access.ts';
import { SAVING } from '../../http/idempotency.ts';
import { PERSON_403 } from '../../http/openapi-errors.ts';
import { confirmedSession, saveInRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { withEtag } from '../../http/version.ts';
import { changePaymentSettings, identifyTokens, paymentSettingsOf, testAccount } from './payment-settings.ts';

export const paymentSettingsRoutes = routesOf('Configuración', (app, context) => {
  app.get(
    PAYMENT_SETTINGS_PATH,
    {
      config: can('settings:manage'),
      schema: { summary: 'Ver cómo se cobra', response: { 200: paymentSettings } },
    },
    async (_request, reply) => withEtag(reply, await paymentSettingsOf(context.db)),
  );

  app.route({
    method: SAVING,
    url: PAYMENT_SETTINGS_PATH,
    config: can('settings:manage', {
      writes: ['settings.updated'],
      errors: { 403: PERSON_403, 412: true, 503: 'El proveedor de pagos no responde (unavailable)' },
    }),
    schema: {
      summary: 'Cambiar cómo se cobra',
      body: paymentSettingsUpdate,
      response: { 200: paymentSettingsSaved },
    },
    handler: async (request, reply) => {
      // Requires a confirmed identity, because whoever changes the account gets the money (PAY-03).
      confirmedSession(request, context.now());
      const identities = await identifyTokens(context, request.body);
      return saveInRequest(context, request, reply, (scope) =>
        changePaymentSettings(scope, context.config, request.body, identities),
      );
    },
  });

  app.post(
    `${PAYMENT_SETTINGS_PATH}:provider/test/`,
    {
      config: can('settings:manage', {
        writes: NOTHING,
        errors: { 403: PERSON_403, 503: 'El proveedor de pagos no responde (unavailable)' },
      }),
      schema: {
        summary: 'Probar la conexión con un proveedor de pagos',
        params: accountProviderParams,
        response: { 200: paymentAccountTest },
      },
    },
    (request) => {
      confirmedSession(request, context.now());
      return testAccount(context, request.params.provider);
    },
  );
});
