import {
  MAIL_SETTINGS_PATH,
  mailServerTest,
  mailServerTested,
  mailSettings,
  mailSettingsUpdate,
} from '../../../contract/mail/mail-settings.ts';
import { can, NOTHING } from '../../http/access.ts';
import { SAVING } from '../../http/idempotency.ts';
import { PERSON_403 } from '../../http/openapi-errors.ts';
import { confirmedSession, saveInRequest, sessionOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { withEtag } from '../../http/version.ts';
import { changeMailServer, checkHost, mailSettingsOf } from './change-mail-server.ts';
import { testMailServer } from './test-mail-server.ts';

/** The mail server of Configuración › Correos, only for people; a change or a test asks who they are (DESK-07). */
export const mailServerRoutes = routesOf('Configuración', (app, context) => {
  app.get(
    MAIL_SETTINGS_PATH,
    {
      config: can('settings:manage', { errors: { 403: 'Sin permiso, o no es una persona (forbidden)' } }),
      schema: { summary: 'Ver el servidor de correo', response: { 200: mailSettings } },
    },
    async (request, reply) => {
      sessionOf(request);
      return withEtag(reply, await mailSettingsOf(context.db, context.config));
    },
  );

  app.route({
    method: SAVING,
    url: MAIL_SETTINGS_PATH,
    config: can('settings:manage', {
      writes: ['settings.updated'],
      errors: { 403: PERSON_403, 412: true },
    }),
    schema: {
      summary: 'Cambiar el servidor de correo',
      body: mailSettingsUpdate,
      response: { 200: mailSettings },
    },
    handler: async (request, reply) => {
      confirmedSession(request, context.now());
      await checkHost(context, request.body);
      return saveInRequest(context, request, reply, (scope) =>
        changeMailServer(scope, context.config, request.body),
      );
    },
  });

  app.post(
    `${MAIL_SETTINGS_PATH}test/`,
    {
      config: can('settings:manage', { writes: NOTHING, errors: { 403: PERSON_403, 429: true } }),
      schema: {
        summary: 'Enviar un correo de prueba y ver qué respondió el servidor',
        body: mailServerTest,
        response: { 200: mailServerTested },
      },
    },
    (request) => {
      const { userId } = confirmedSession(request, context.now());
      return testMailServer(context, userId, request.body.to);
    },
  );
});
