import { settingsAnswer, settingsUpdate } from '../../../contract/settings/settings.ts';
import { can } from '../../http/access.ts';
import { SAVING } from '../../http/idempotency.ts';
import { STEP_UP_403 } from '../../http/openapi-errors.ts';
import { confirmedSession, saveInRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { withEtag } from '../../http/version.ts';
import { changeSettings } from './change-settings.ts';
import { readSettings } from './settings.queries.ts';
import { completeAnswer } from './settings.record.ts';

const STEP_UP = { 403: STEP_UP_403 };

export const settingsRoutes = routesOf('Configuración', (app, context) => {
  const { db } = context;

  app.get(
    '/licenses/api/settings/',
    {
      config: can('settings:read'),
      schema: { summary: 'Ver la configuración', response: { 200: settingsAnswer } },
    },
    async (_request, reply) => {
      const settings = await readSettings(db);
      return withEtag(reply, await completeAnswer(db, context.config, settings));
    },
  );

  app.route({
    method: SAVING,
    url: '/licenses/api/settings/',
    config: can('settings:manage', { writes: ['settings.updated'], errors: STEP_UP }),
    schema: { summary: 'Cambiar la configuración', body: settingsUpdate, response: { 200: settingsAnswer } },
    handler: (request, reply) =>
      saveInRequest(context, request, reply, (scope) =>
        changeSettings(scope, request.body, () => void confirmedSession(request, context.now())),
      ),
  });
});
