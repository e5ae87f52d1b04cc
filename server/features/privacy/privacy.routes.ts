import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { done } from '../../../contract/base/errors.ts';
import { idParams } from '../../../contract/base/page.ts';
import { clientData, clientErasure, PRIVACY_RESULTS } from '../../../contract/clients/privacy.ts';
import { can } from '../../http/access.ts';
import { STEP_UP_403 } from '../../http/openapi-errors.ts';
import { confirmedSession, inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { clientDataOf } from './client-data.ts';
import { eraseClient } from './erase-client.ts';

const ERASURE_ERRORS = {
  403: STEP_UP_403,
  409: 'Tiene licencias que no han terminado (in_use), un correo en camino o una fusión que no ha terminado (conflict)',
};

/** The cast is needed because the schema describes the whole answer, and this is a stream of its parts. */
const sendFile = (reply: FastifyReply, name: string, parts: AsyncIterable<string>): FastifyReply =>
  reply
    .type('application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(parts));

/** A client's rights over personal data: a copy, and the erasure (docs/privacy.md). */
export const privacyRoutes = routesOf('Clientes', (app, context) => {
  app.get(
    '/licenses/api/clients/:id(^\\d+$)/data/',
    {
      config: can('clients:erase'),
      schema: {
        summary: 'Descargar todo lo que se guarda de un cliente',
        params: idParams,
        response: { 200: clientData },
      },
    },
    async ({ params: { id } }, reply) => {
      const answer: FastifyReply = reply;
      return sendFile(answer, `cliente_${id}.json`, await clientDataOf(context, id));
    },
  );

  app.post(
    '/licenses/api/clients/:id(^\\d+$)/erase/',
    {
      config: can('clients:erase', {
        writes: ['client.erased', 'payment_request.cancelled'],
        errors: ERASURE_ERRORS,
      }),
      schema: {
        summary: 'Borrar los datos personales de un cliente',
        description:
          'Borra lo que dice quién es, también de sus eventos y correos; las cifras quedan. No se puede deshacer.',
        params: idParams,
        body: clientErasure,
        response: { 200: done },
      },
    },
    async (request) => {
      confirmedSession(request, context.now());
      await inRequest(context, request, (scope) =>
        eraseClient(scope, request.params.id, request.body.reason),
      );
      return { success: true as const, message: PRIVACY_RESULTS.erased };
    },
  );
});
