import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { done } from '../../../../contract/base/errors.ts';
import { idParams } from '../../../../contract/base/page.ts';
import {
  API_KEY_MESSAGES,
  API_KEY_RESULTS,
  apiKeyCreate,
  apiKeyCreated,
  apiKeyList,
} from '../../../../contract/people/api-keys.ts';
import type { AppContext } from '../../../context.ts';
import { can } from '../../../http/access.ts';
import { confirmedSession, inRequest, principalOf } from '../../../http/request-scope.ts';
import { listApiKeys } from './api-keys.queries.ts';
import { createApiKey, type Maker, revokeApiKey, rotateApiKey } from './manage-api-keys.ts';

const tags = ['Claves de API'];
const ENDED = { 409: `${API_KEY_MESSAGES.ended} (conflict)` };

const STEP_UP = { 403: 'Sin permiso (forbidden), o hay que confirmar la identidad (step_up_required)' };

/** The caller, who has given a password or a code within ten minutes. */
const makerOf = (request: FastifyRequest, now: Date): Maker => ({
  userId: confirmedSession(request, now).userId,
  permissions: principalOf(request).permissions,
});

/** No call here takes an Idempotency-Key: its stored answer would hold the text of a key (EVENT-04). */
export const apiKeyRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/licenses/api/api-keys/',
      {
        config: can('api_keys:manage'),
        schema: { tags, summary: 'Listar las claves de API', response: { 200: apiKeyList } },
      },
      async () => ({ results: await listApiKeys(context.db) }),
    );

    app.post(
      '/licenses/api/api-keys/',
      {
        config: can('api_keys:manage', { writes: ['api_key.created'], errors: STEP_UP }),
        schema: {
          tags,
          summary: 'Crear una clave de API',
          body: apiKeyCreate,
          response: { 201: apiKeyCreated },
        },
      },
      async (request, reply) => {
        const created = await inRequest(context, request, (scope) =>
          createApiKey(scope, makerOf(request, scope.now), request.body),
        );
        return reply.code(201).send(created);
      },
    );

    app.post(
      '/licenses/api/api-keys/:id(^\\d+$)/rotate/',
      {
        config: can('api_keys:manage', {
          writes: ['api_key.created', 'api_key.revoked'],
          errors: { ...STEP_UP, ...ENDED },
        }),
        schema: {
          tags,
          summary: 'Reemplazar una clave de API',
          params: idParams,
          response: { 201: apiKeyCreated },
        },
      },
      async (request, reply) => {
        const created = await inRequest(context, request, (scope) =>
          rotateApiKey(scope, makerOf(request, scope.now), request.params.id),
        );
        return reply.code(201).send(created);
      },
    );

    app.delete(
      '/licenses/api/api-keys/:id(^\\d+$)/',
      {
        config: can('api_keys:manage', { writes: ['api_key.revoked'] }),
        schema: { tags, summary: 'Revocar una clave de API', params: idParams, response: { 200: done } },
      },
      async (request) => {
        await inRequest(context, request, (scope) => revokeApiKey(scope, request.params.id));
        return { success: true as const, message: API_KEY_RESULTS.revoked };
      },
    );
  };
