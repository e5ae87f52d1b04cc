import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { settingsAnswer, settingsUpdate } from '../../../contract/system/settings.ts';
import type { AppContext } from '../../context.ts';
import { can } from '../../http/access.ts';
import { SAVING } from '../../http/idempotency.ts';
import { confirmedSession, inRequest } from '../../http/request-scope.ts';
import { etagOf } from '../../http/version.ts';
import { changeSettings } from './change-settings.ts';
import { logoVersion } from './logo.queries.ts';
import { readSettings } from './settings.queries.ts';

const tags = ['Configuración'];
const STEP_UP = { 403: 'Sin permiso (forbidden), o hay que confirmar la identidad (step_up_required)' };

export const settingsRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = context;

    app.get(
      '/licenses/api/settings/',
      {
        config: can('settings:read'),
        schema: { tags, summary: 'Ver la configuración', response: { 200: settingsAnswer } },
      },
      async (_request, reply) => {
        const settings = await readSettings(db);
        reply.header('etag', etagOf(settings.updated_at));
        return { ...settings, logo_updated_at: await logoVersion(db) };
      },
    );

    app.route({
      method: SAVING,
      url: '/licenses/api/settings/',
      config: can('settings:manage', { writes: ['settings.updated'], errors: STEP_UP }),
      schema: {
        tags,
        summary: 'Cambiar la configuración',
        body: settingsUpdate,
        response: { 200: settingsAnswer },
      },
      handler: async (request, reply) => {
        const saved = await inRequest(context, request, (scope) =>
          changeSettings(scope, request.body, () => void confirmedSession(request, context.now())),
        );
        reply.header('etag', etagOf(saved.updated_at));
        return saved;
      },
    });
  };
