import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { done } from '../../../contract/base/errors.ts';
import { idParams } from '../../../contract/base/page.ts';
import { certificate } from '../../../contract/licenses/certificate.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { portalAddress } from '../../../contract/portal/portal.ts';
import {
  portalFile,
  portalLicense,
  portalLicensePage,
  portalLicenseQuery,
  portalRelease,
  portalRequest,
} from '../../../contract/portal/portal-licenses.ts';
import {
  PORTAL_LIMITS,
  PORTAL_MESSAGES,
  PORTAL_RESULTS,
  type PortalVerb,
} from '../../../contract/portal/portal-words.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import type { AppContext } from '../../context.ts';
import { AppError, fault, invalid, notFound } from '../../errors.ts';
import { client, NOTHING } from '../../http/access.ts';
import { isOnPortalHost } from '../../http/portal-host.ts';
import { inRequest, portalOf } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import type { Limited } from '../../limits/throttle.ts';
import { countUses } from '../../limits/uses.ts';
import type { Scope } from '../../scope.ts';
import { certificateOf } from '../licenses/license-certificate.ts';
import { getLicenseRow } from '../licenses/licenses.queries.ts';
import { resendToClient } from '../licenses/send-license-mail.ts';
import { payByClient } from '../payments/client-payment.ts';
import { canBePaid } from '../payments/payment-accounts.ts';
import { FILE_REFUSED } from '../programs/file-refusal.ts';
import { issueFile } from '../programs/issue-file.ts';
import { askVendor } from './ask-vendor.ts';
import { requireOffered } from './portal-client.ts';
import { findPortalLicense, pageOfLicenses } from './portal-licenses.queries.ts';
import { filesOf, requestsOf, resendsOf } from './portal-limits.ts';
import { releaseByClient } from './release-by-client.ts';

const LICENSES = '/licenses/api/portal/licenses/';
const ONE = `${LICENSES}:id(^\\d+$)/`;

const NOT_OFFERED =
  'El proveedor no lo ofrece (not_allowed), falta el encabezado X-Portal: 1, o la sesión no admite la llamada (forbidden)';
const RELEASE_REFUSED =
  'Por ahora no se puede liberar otro equipo (release_limit), o este tiene un archivo sin conexión vigente (file_issued); available_from dice desde qué día';
const PAY_REFUSED =
  'La licencia no se puede renovar así (invalid_transition, not_renewable), o su pago está en revisión (conflict)';

export const portalLicenseRoutes = routesOf('Portal', (app, context) => {
  const { db, now, config } = context;
  const moment = () => ({ now: now(), timeZone: config.timeZone, demo: config.demo });

  app.get(
    LICENSES,
    {
      config: client(),
      schema: {
        summary: 'Listar las licencias propias',
        querystring: portalLicenseQuery,
        response: { 200: portalLicensePage },
      },
    },
    (request) => {
      // The links to other pages must stay on the host of the call, because the session cookie is only valid there.
      const base = isOnPortalHost(config, request) ? config.portalUrl : config.linkBase;
      return pageOfLicenses(db, portalOf(request), request.query, moment(), `${base}${request.url}`);
    },
  );

  app.get(
    ONE,
    {
      config: client(),
      schema: {
        summary: 'Ver una licencia propia, con sus equipos',
        params: idParams,
        response: { 200: portalLicense },
      },
    },
    async (request) => {
      const found = await findPortalLicense(db, portalOf(request), request.params.id, moment());
      if (!found) throw notFound(LICENSE_MESSAGES.notFound);
      return found;
    },
  );

  app.post(
    '/licenses/api/portal/installations/:id(^\\d+$)/release/',
    {
      config: client({
        offeredBy: 'release',
        writes: ['installation.released'],
        errors: { 403: NOT_OFFERED, 409: RELEASE_REFUSED, 429: true },
      }),
      schema: {
        summary: 'Liberar un equipo propio',
        params: idParams,
        body: portalRelease,
        response: { 200: done },
      },
    },
    async (request) => {
      await inRequest(context, request, (scope) =>
        releaseByClient(scope, portalOf(request), request.params.id, request.body.why),
      );
      return { success: true as const, message: PORTAL_RESULTS.released };
    },
  );

  addLicenseRoutes(app, context);
});

/**
 * Runs an action of a client on a licence. The order of refusals: 404 for another client's licence, 403 for a feature
 * that is off, 429, and then those of the licence itself.
 * @param limit the limit of uses; a use is counted only if the work succeeds
 */
function onLicense<Result>(
  context: AppContext,
  request: FastifyRequest & { params: { id: number } },
  { verb, limit }: { verb: PortalVerb; limit?: (id: number) => Limited },
  work: (scope: Scope, id: number) => Promise<Result>,
): Promise<Result> {
  const { clientId, session } = portalOf(request);
  const { id } = request.params;
  return inRequest(context, request, async (scope) => {
    const { tx, now } = scope;
    const row = await tx.selectFrom('licenses').select('client_id').where('id', '=', id).executeTakeFirst();
    const isShown = session.ticket === null || session.ticket.licenseId === id;
    // There is no certificate in a ticket's session, so it gets a 404.
    const isThere = isShown && (session.ticket === null || verb !== 'certificate');
    if (row?.client_id !== clientId || !isThere) throw notFound(LICENSE_MESSAGES.notFound);
    requireOffered(session, verb);
    if (limit) await countUses(tx, [limit(id)], now);
    return work(scope, id);
  });
}

/** The actions of a client on one licence. */
function addLicenseRoutes(app: RoutesApp, context: AppContext): void {
  app.post(
    `${ONE}file/`,
    {
      config: client({
        offeredBy: 'file',
        writes: ['license.file_issued', 'installation.activated', 'license.started'],
        errors: { 403: NOT_OFFERED, 409: FILE_REFUSED, 429: true },
      }),
      schema: {
        summary: 'Descargar un archivo para un equipo sin conexión',
        params: idParams,
        body: portalFile,
        response: { 200: { content: { 'text/plain': { schema: z.string() } } } },
      },
    },
    async (request, reply) => {
      const { session } = portalOf(request);
      const { machine_id = session.ticket?.machineId, ttl_days, ...body } = request.body;
      const file = await onLicense(context, request, { verb: 'file', limit: filesOf }, (scope, id) => {
        if (machine_id === undefined) {
          throw invalid({ machine_id: [fault('required', PORTAL_MESSAGES.machine)] });
        }
        if (session.ticket && machineKey(machine_id) !== machineKey(session.ticket.machineId)) {
          throw notFound(LICENSE_MESSAGES.notFound);
        }
        const days = Math.min(ttl_days, PORTAL_LIMITS.fileDays);
        return issueFile(scope, context.secrets, id, { ...body, machine_id, ttl_days: days });
      });
      reply.header('content-disposition', `attachment; filename="${file.name}"`);
      return reply.type('text/plain; charset=utf-8').send(file.text);
    },
  );

  app.post(
    `${ONE}request/`,
    {
      config: client({
        offeredBy: 'request',
        writes: ['client.requested'],
        errors: { 403: NOT_OFFERED, 429: true },
      }),
      schema: {
        summary: 'Pedir algo al proveedor sobre una licencia',
        params: idParams,
        body: portalRequest,
        response: { 202: done },
      },
    },
    async (request, reply) => {
      await onLicense(context, request, { verb: 'request', limit: requestsOf }, async (scope, id) => {
        const license = await getLicenseRow(scope.tx, id, scope.now, scope.timeZone);
        await askVendor(scope, license, request.body, portalOf(request).session.contact);
      });
      return reply.code(202).send({ success: true as const, message: PORTAL_RESULTS.requested });
    },
  );

  app.post(
    `${ONE}resend/`,
    {
      config: client({
        offeredBy: 'resend',
        writes: NOTHING,
        errors: { 403: NOT_OFFERED, 409: 'La licencia está cancelada (invalid_transition)', 429: true },
      }),
      schema: {
        summary: 'Recibir de nuevo el correo de una licencia',
        params: idParams,
        response: { 202: done },
      },
    },
    async (request, reply) => {
      await onLicense(context, request, { verb: 'resend', limit: resendsOf }, resendToClient);
      const { session } = portalOf(request);
      const message = session.contact ? PORTAL_RESULTS.resentToClient : PORTAL_RESULTS.resent;
      return reply.code(202).send({ success: true as const, message });
    },
  );

  app.post(
    `${ONE}certificate/`,
    {
      config: client({ offeredBy: 'certificate', writes: NOTHING, errors: { 403: NOT_OFFERED } }),
      schema: {
        summary: 'Dar el código de la constancia de una licencia propia',
        params: idParams,
        response: { 200: certificate },
      },
    },
    (request) =>
      onLicense(context, request, { verb: 'certificate' }, (scope, id) =>
        certificateOf(scope, id, context.config.clientUrl),
      ),
  );

  app.post(
    `${ONE}pay/`,
    {
      config: client({
        offeredBy: 'pay',
        writes: ['payment_request.created', 'payment_request.expired'],
        errors: { 403: NOT_OFFERED, 409: PAY_REFUSED },
      }),
      schema: {
        summary: 'Pagar la renovación de una licencia propia',
        description: 'Solo donde el proveedor recibe pagos; si no, not_allowed.',
        params: idParams,
        response: { 200: portalAddress },
      },
    },
    (request) =>
      onLicense(context, request, { verb: 'pay' }, async (scope, id) => {
        if (!(await canBePaid(scope.tx, context.config))) throw new AppError(403, 'not_allowed');
        return { url: await payByClient(scope, id) };
      }),
  );
}
