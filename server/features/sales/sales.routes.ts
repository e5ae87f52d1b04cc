import type { FastifyReply, FastifyRequest } from 'fastify';
import { licenseAnswer } from '../../../contract/licenses/license-can.ts';
import {
  licenseBatch,
  licenseBatchResult,
  licenseCreate,
  licenseGenerate,
  licenseKeyPreview,
} from '../../../contract/licenses/licenses.ts';
import { VERBS } from '../../../contract/licenses/verbs/index.ts';
import type { EventType } from '../../../contract/system/events.ts';
import { forbidden } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { createOnce } from '../../http/idempotency.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { createLicenseKey } from '../licenses/issue-license.ts';
import { changedWithCan } from '../licenses/license-can.ts';
import { addVerbRoute, verbRoute } from '../licenses/verb-route.ts';
import { sellBatch, sellLicense, sellRenewal, sellSeats } from './sell.ts';

/** The calls that sell something, and may note or ask for its payment (MONEY-05). */

/** The events of the payment of a sale. */
const PAID: readonly EventType[] = ['payment_request.created', 'payment.received'];
const NEEDS_PAYMENTS = 'Sin permiso (forbidden): payment necesita también payments:write';

/** @throws forbidden (403) for a call that notes or asks for a payment, and may not */
function requirePayments(request: FastifyRequest, { payment }: { payment?: unknown }): void {
  if (payment !== undefined && !principalOf(request).permissions.has('payments:write')) {
    throw forbidden(NEEDS_PAYMENTS);
  }
}

export const saleRoutes = routesOf('Licencias', (app, context) => {
  const config = can('licenses:write', {
    writes: ['license.issued', ...PAID],
    once: true,
    errors: { 403: NEEDS_PAYMENTS },
  });

  const issueOnce = (
    request: FastifyRequest,
    reply: FastifyReply,
    body: Parameters<typeof sellLicense>[1],
  ) => {
    requirePayments(request, body);
    return changedWithCan(
      context,
      request,
      createOnce(context, request, reply, (scope) => sellLicense(scope, body)),
    );
  };

  app.post(
    '/licenses/api/licenses/',
    {
      config,
      schema: { summary: 'Crear una licencia', body: licenseCreate, response: { 201: licenseAnswer } },
    },
    (request, reply) => issueOnce(request, reply, request.body),
  );

  app.post(
    '/licenses/api/licenses/batch/',
    {
      config,
      schema: {
        summary: 'Crear varias licencias iguales',
        description: 'Todas o ninguna, cada una con su clave; el cliente recibe un solo correo con todas.',
        body: licenseBatch,
        response: { 201: licenseBatchResult },
      },
    },
    (request, reply) => {
      requirePayments(request, request.body);
      return createOnce(context, request, reply, async (scope) => {
        const licenses = await sellBatch(scope, request.body);
        return {
          success: true as const,
          licenses: licenses.map(({ id, license_key }) => ({ id, license_key })),
        };
      });
    },
  );

  app.post(
    '/licenses/api/license/generate/',
    {
      config,
      schema: {
        summary: 'Generar una licencia',
        description:
          'Con el cuerpo vacío solo propone una clave: responde 200 y no guarda nada. Ninguna licencia tiene esa clave, y validarla responde not_found.',
        body: licenseGenerate,
        response: { 200: licenseKeyPreview, 201: licenseAnswer },
      },
      // An empty body previews a key and stores nothing (D085). It is handled before validation, which requires a
      // client.
      preValidation: async (request, reply) => {
        if (isEmptyObject(request.body)) {
          return reply.code(200).send({ success: true as const, license_key: createLicenseKey() });
        }
      },
    },
    (request, reply) => issueOnce(request, reply, request.body),
  );

  const renewal = verbRoute('renew');
  addVerbRoute(app, context, {
    ...renewal,
    writes: [...renewal.writes, ...PAID],
    forbidden: NEEDS_PAYMENTS,
    body: VERBS.renew.body.meta({ examples: [VERBS.renew.example] }),
    allow: requirePayments,
    run: sellRenewal,
  });

  const seats = verbRoute('add_seats');
  addVerbRoute(app, context, {
    ...seats,
    writes: [...seats.writes, ...PAID],
    forbidden: NEEDS_PAYMENTS,
    body: VERBS.add_seats.body.meta({ examples: [VERBS.add_seats.example] }),
    allow: requirePayments,
    run: sellSeats,
  });
});

const isEmptyObject = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
