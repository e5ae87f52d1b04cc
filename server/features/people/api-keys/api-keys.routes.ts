import type { FastifyRequest } from 'fastify';
import { done } from '../../../../contract/base/errors.ts';
import { idParams } from '../../../../contract/base/page.ts';
import {
  API_KEY_MESSAGES,
  API_KEY_RESULTS,
  apiKeyCreate,
  apiKeyCreated,
  apiKeyList,
} from '../../../../contract/people/api-keys.ts';
import { can } from '../../../http/access.ts';
import { STEP_UP_403 } from '../../../http/openapi-errors.ts';
import { confirmedSession, inRequest, principalOf } from '../../../http/request-scope.ts';
import { routesOf } from '../../../http/routes.ts';
import { listApiKeys } from './api-keys.queries.ts';
import { createApiKey, type Maker, revokeApiKey, rotateApiKey } from './manage-api-keys.ts';

const ENDED = { 409: `${API_KEY_MESSAGES.ended} (conflict)` };

const STEP_UP = { 403: STEP_UP_403 };

/** The caller, who must have entered a password or a code within the last ten minutes. */
const makerOf = (request: FastifyRequest, now: Date): Maker => ({
  userId: confirmedSession(request, now).userId,
  permissions: principalOf(request).permissions,
});

/** No call here takes an Idempotency-Key, because its stored answer would contain the text of a key (EVENT-04). */
export const apiKeyRoutes = routesOf('Claves de API', (app, context) => {
  app.get(
    '/licenses/api/api-keys/',
    {
      config: can('api_keys:manage'),
      schema: { summary: 'Listar las claves de API', response: { 200: apiKeyList } },
    },
    async () => ({ results: await listApiKeys(context.db) }),
  );

  app.post(
    '/licenses/api/api-keys/',
    {
      config: can('api_keys:manage', { writes: ['api_key.created'], errors: STEP_UP }),
      schema: { summary: 'Crear una clave de API', body: apiKeyCreate, response: { 201: apiKeyCreated } },
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
      schema: { summary: 'Reemplazar una clave de API', params: idParams, response: { 201: apiKeyCreated } },
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
      schema: { summary: 'Revocar una clave de API', params: idParams, response: { 200: done } },
    },
    async (request) => {
      await inRequest(context, request, (scope) => revokeApiKey(scope, request.params.id));
      return { success: true as const, message: API_KEY_RESULTS.revoked };
    },
  );
});
