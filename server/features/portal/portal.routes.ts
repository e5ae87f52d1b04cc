import type { FastifyReply, FastifyRequest } from 'fastify';
import { done } from '../../../contract/base/errors.ts';
import {
  portalMe,
  portalMeSaved,
  portalMeUpdate,
  portalSignedIn,
  portalSignIn,
  portalSignOut,
  portalVendor,
  portalVerify,
} from '../../../contract/portal/portal.ts';
import { PORTAL_LIMITS, PORTAL_MESSAGES, PORTAL_RESULTS } from '../../../contract/portal/portal-words.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import type { AppContext } from '../../context.ts';
import { AppError, forbidden } from '../../errors.ts';
import { anyone, client, NOTHING } from '../../http/access.ts';
import { ASK_COOKIE, cookieOf, PORTAL_COOKIE, setCookie } from '../../http/cookies.ts';
import { isSecureHost } from '../../http/portal-host.ts';
import { inRequest, portalOf } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import type { PortalSession } from '../../principal.ts';
import { SYSTEM } from '../../scope.ts';
import { endPortalFor, endPortalOf } from '../clients/clients.queries.ts';
import { vendorOf } from '../licenses/license-certificate.ts';
import { askToSignIn, MADE_WITHIN_MS } from './ask-to-sign-in.ts';
import { openPortal } from './open-portal.ts';
import { changeMe, meOf } from './portal-client.ts';
import { portalLinkJob } from './portal-link-job.ts';
import { endPortalSession, endPortalSessionOf } from './portal-sessions.queries.ts';

const PORTAL = '/licenses/api/portal/';

const VERIFY_ERRORS = {
  400: 'Ni código ni token ni elección (invalid), o lo que llegó no vale, ya se usó, venció, o es de otro navegador (invalid_token)',
} as const;

export const portalRoutes = routesOf('Portal', (app, context) => {
  app.get(
    `${PORTAL}vendor/`,
    {
      config: anyone({ portal: true, onPortalHost: true }),
      schema: { summary: 'Ver de quién es el portal', response: { 200: portalVendor } },
    },
    async () => ({ vendor: await vendorOf(context.db) }),
  );
  addSignInRoutes(app, context);
  addOwnRoutes(app, context);
});

/** The routes with which a client signs in and out. */
function addSignInRoutes(app: RoutesApp, context: AppContext): void {
  const { config } = context;
  const cookies = (request: FastifyRequest) => {
    const isSecure = isSecureHost(config, request);
    return {
      read: (name: typeof ASK_COOKIE | typeof PORTAL_COOKIE) => cookieOf(request, name, isSecure),
      write: (
        reply: FastifyReply,
        name: typeof ASK_COOKIE | typeof PORTAL_COOKIE,
        token: string | null,
        seconds = 0,
      ) => setCookie(reply, name, token, { isSecure, seconds }),
    };
  };

  app.post(
    `${PORTAL}sign-in/`,
    {
      config: anyone({ writes: NOTHING, portal: true, onPortalHost: true, errors: { 429: true } }),
      schema: {
        summary: 'Pedir un código para entrar al portal',
        description:
          'Responde lo mismo para cualquier dirección. La cookie ata el código y el enlace a este navegador.',
        body: portalSignIn,
        response: { 202: done },
      },
    },
    async (request, reply) => {
      const { read, write } = cookies(request);
      const asked = { email: request.body.email, browser: read(ASK_COOKIE), ip: request.ip };
      const token = await inRequest(context, request, (scope) => askToSignIn(scope, asked), SYSTEM);
      setTimeout(() => context.nudgeJobs(portalLinkJob.kind), MADE_WITHIN_MS).unref();
      write(reply, ASK_COOKIE, token, PORTAL_LIMITS.askSeconds);
      return reply.code(202).send({ success: true as const, message: PORTAL_RESULTS.asked });
    },
  );

  app.post(
    `${PORTAL}sign-in/verify/`,
    {
      config: anyone({
        writes: ['client.signed_in'],
        portal: true,
        onPortalHost: true,
        errors: VERIFY_ERRORS,
      }),
      schema: {
        summary: 'Entrar al portal con un código o un enlace',
        description:
          'Si la dirección es de varios clientes, responde `choices` y no abre sesión: otra llamada con `choice` elige uno, una vez.',
        body: portalVerify,
        response: { 200: portalSignedIn },
      },
    },
    async (request, reply) => {
      const { read, write } = cookies(request);
      const before = read(PORTAL_COOKIE);
      const opened = await inRequest(
        context,
        request,
        (scope) => openPortal(scope, request.body, read(ASK_COOKIE)),
        SYSTEM,
      );
      if (!opened) throw new AppError(400, 'invalid_token', { message: PORTAL_MESSAGES.invalidToken });
      if ('choices' in opened) {
        write(reply, ASK_COOKIE, opened.token, PORTAL_LIMITS.askSeconds);
        return { success: true as const, client: null, choices: opened.choices };
      }
      // The browser's cookie is replaced, so its earlier session is ended, because nobody could sign out of it any
      // more.
      if (before !== null) await endPortalSession(context.db, before);
      write(reply, ASK_COOKIE, null);
      write(reply, PORTAL_COOKIE, opened.token, opened.seconds);
      return { success: true as const, client: opened.client };
    },
  );

  app.post(
    `${PORTAL}sign-out/`,
    {
      config: client({ writes: NOTHING }),
      schema: { summary: 'Salir del portal', body: portalSignOut, response: { 200: done } },
    },
    async (request, reply) => {
      const { clientId, session } = portalOf(request);
      const { all } = request.body;
      if (all && session.ticket) throw forbidden(PORTAL_MESSAGES.forbidden);
      await (all ? endAllOf(context, clientId, session) : endPortalSessionOf(context.db, session.hash));
      cookies(request).write(reply, PORTAL_COOKIE, null);
      return { success: true as const, message: PORTAL_RESULTS.signedOut };
    },
  );
}

/** Ends all sessions of the client, or of the contact who is signed in for it. */
const endAllOf = ({ db }: AppContext, clientId: number, { contact }: PortalSession) =>
  contact === null ? endPortalOf(db, clientId) : endPortalFor(db, clientId, { of: mailKey(contact.email) });

/** The routes for the client's own data. */
function addOwnRoutes(app: RoutesApp, context: AppContext): void {
  app.get(
    `${PORTAL}me/`,
    {
      config: client(),
      schema: { summary: 'Ver quién entró al portal y qué se le ofrece', response: { 200: portalMe } },
    },
    (request) => {
      const { clientId, session } = portalOf(request);
      return meOf(context.db, clientId, session, context.config);
    },
  );

  app.patch(
    `${PORTAL}me/`,
    {
      config: client({ writes: ['client.updated'], errors: { 403: NOT_OFFERED } }),
      schema: {
        summary: 'Cambiar los datos propios desde el portal',
        body: portalMeUpdate,
        response: { 200: portalMeSaved },
      },
    },
    (request) => {
      const { clientId, session } = portalOf(request);
      if (session.ticket) throw forbidden(PORTAL_MESSAGES.forbidden);
      return inRequest(context, request, (scope) => changeMe(scope, clientId, session, request.body));
    },
  );
}

const NOT_OFFERED =
  'El proveedor no lo ofrece (not_allowed), falta el encabezado X-Portal: 1, o la sesión no admite la llamada (forbidden)';
