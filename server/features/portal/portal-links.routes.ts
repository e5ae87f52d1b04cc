import { done } from '../../../contract/base/errors.ts';
import { idParams } from '../../../contract/base/page.ts';
import { portalAddress, portalTicket } from '../../../contract/portal/portal.ts';
import { portalTicketAddress } from '../../../contract/portal/portal-ticket.ts';
import { PORTAL_STAFF_RESULTS } from '../../../contract/portal/portal-words.ts';
import { machineWarning } from '../../../contract/programs/machine-warning.ts';
import { forbidden } from '../../errors.ts';
import { can, licenseKey, NOTHING } from '../../http/access.ts';
import { inRequest, principalOf, sessionOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import type { Scope } from '../../scope.ts';
import { countingUnknownKeys, lockAuthorized } from '../programs/license-key-guard.ts';
import { createTicket, inviteToPortal, viewAsClient } from './portal-links.ts';
import { mayView } from './portal-sessions.queries.ts';

const CLIENT = '/licenses/api/clients/:id(^\\d+$)/portal/';

const TICKET_ERRORS = {
  403: 'La clave es de otro producto (wrong_software)',
  404: 'La clave no existe (license_not_found), el equipo no está activado o el portal está apagado (not_found)',
  429: true,
} as const;
const CLOSED = { 409: 'El cliente no está activo, o el portal está apagado (conflict)' } as const;

export const portalLinkRoutes = routesOf('Portal', (app, context) => {
  app.post(
    '/licenses/api/portal/ticket/',
    {
      config: licenseKey({ writes: NOTHING, portal: 'program', errors: TICKET_ERRORS }),
      schema: {
        summary: 'Pedir desde el programa una dirección del portal para su equipo',
        body: portalTicket,
        response: { 200: portalTicketAddress },
      },
    },
    (request) => {
      const { body } = request;
      const actor = { kind: 'machine' as const, id: null, name: body.machine_id };
      const create = async (scope: Scope) => ({
        url: await createTicket(scope, body, await lockAuthorized(scope, context, request)),
        ...machineWarning(body.machine_id),
      });
      return countingUnknownKeys(context, request, () => inRequest(context, request, create, actor));
    },
  );

  app.post(
    `${CLIENT}invite/`,
    {
      config: can('mails:send', { writes: NOTHING, errors: CLOSED }),
      schema: {
        tags: ['Clientes'],
        summary: 'Enviar a un cliente la dirección del portal',
        params: idParams,
        response: { 200: done },
      },
    },
    async (request) => {
      await inRequest(context, request, (scope) => inviteToPortal(scope, request.params.id));
      return { success: true as const, message: PORTAL_STAFF_RESULTS.invited };
    },
  );

  app.post(
    `${CLIENT}view/`,
    {
      config: can('clients:read', { writes: ['client.portal_viewed'], errors: CLOSED }),
      schema: {
        tags: ['Clientes'],
        summary: 'Ver el portal como un cliente',
        description:
          'Solo personas, con licenses:read. La dirección sirve una vez, durante 5 minutos, y termina con la sesión de quien la pidió.',
        params: idParams,
        response: { 200: portalAddress },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      if (!mayView(principalOf(request).permissions)) throw forbidden();
      const url = await inRequest(context, request, (scope) =>
        viewAsClient(scope, request.params.id, session),
      );
      return { url };
    },
  );
});
