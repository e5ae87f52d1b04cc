import { done } from '../../../../contract/base/errors.ts';
import { idParams } from '../../../../contract/base/page.ts';
import {
  ACCOUNT_MESSAGES,
  ACCOUNT_RESULTS,
  accountChange,
  firstAdmin,
  invitationAccept,
  passwordChange,
  passwordForgot,
  passwordReset,
  passwordSet,
  sessionList,
  stepUp,
} from '../../../../contract/people/account.ts';
import { AUTH_RESULTS, account, signedIn } from '../../../../contract/people/auth.ts';
import { savedCurrentUser } from '../../../../contract/people/current-user.ts';
import { mailAdvice } from '../../../../contract/reading/mail-suggestions.ts';
import type { AppContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { anyone, NOTHING, signedIn as signedInUser } from '../../../http/access.ts';
import { callerGone } from '../../../http/caller-gone.ts';
import { SAVING } from '../../../http/idempotency.ts';
import { NO_OIDC, ONLY_OIDC, STEP_UP_403 } from '../../../http/openapi-errors.ts';
import { inRequest, originOf, sessionOf } from '../../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../../http/routes.ts';
import { createFirstAdmin } from '../first-account/first-accounts.ts';
import { oidcCookieOf } from '../oidc/oidc-cookie.ts';
import { personOf, visitorOf } from '../sign-in/callers.ts';
import { currentUserOf } from '../sign-in/current-user.ts';
import { endSession } from '../sign-in/end-session.ts';
import { changeAccount } from './change-account.ts';
import { changePassword } from './change-password.ts';
import { mailResetLinks } from './forgot-password.ts';
import { acceptInvitation, resetPassword } from './join.ts';
import { isSessionOf, listSessions, openSessionIds } from './sessions.queries.ts';
import { confirmIdentity } from './step-up.ts';
import { inTurn } from './user-links.ts';

const FIRST_ERRORS = {
  400: 'Datos inválidos (invalid), o el enlace ya no vale (invalid_token)',
  429: true,
} as const;
const ONLY = { 403: `Aquí ${ONLY_OIDC}` };
const LINK_ERRORS = { ...FIRST_ERRORS, ...ONLY };

export const accountRoutes = routesOf('Mi cuenta', (app, context) => {
  app.post(
    '/api/auth/invitation/accept/',
    {
      config: anyone({ writes: ['user.joined'], errors: LINK_ERRORS }),
      schema: { summary: 'Aceptar una invitación', body: invitationAccept, response: { 200: signedIn } },
    },
    async (request, reply) => {
      const visitor = visitorOf(request, reply);
      const result = await inTurn(request.body.token, visitor.signal, () =>
        acceptInvitation(context, request.body, visitor),
      );
      return { success: true as const, ...result, message: ACCOUNT_RESULTS.joined };
    },
  );

  app.post(
    '/api/auth/first-admin/',
    {
      config: anyone({ writes: ['user.registered'], errors: FIRST_ERRORS }),
      schema: {
        summary: 'Crear el primer administrador con el enlace del registro',
        body: firstAdmin,
        response: { 201: signedIn },
      },
    },
    async (request, reply) => {
      const visitor = visitorOf(request, reply);
      const result = await inTurn(request.body.token, visitor.signal, () =>
        createFirstAdmin(context, request.body, visitor),
      );
      return reply.code(201).send({ success: true as const, ...result, message: AUTH_RESULTS.registered });
    },
  );

  app.post(
    '/api/auth/password/forgot/',
    {
      config: anyone({ writes: NOTHING, errors: ONLY }),
      schema: {
        summary: 'Pedir un enlace para cambiar la contraseña',
        body: passwordForgot,
        response: { 200: done },
      },
    },
    async (request) => {
      // Not awaited, so that the answer and its time are the same for every address.
      mailResetLinks(context, request.body.email, originOf(request)).catch((error) => {
        request.log.error(error, 'no se pudo enviar el enlace de la contraseña');
      });
      const isSent = (await context.mailer.transport()) === 'smtp';
      const message = isSent ? ACCOUNT_MESSAGES.forgotten : ACCOUNT_MESSAGES.forgottenStored;
      return { success: true as const, message };
    },
  );

  app.post(
    '/api/auth/password/reset/',
    {
      config: anyone({ writes: ['user.password_changed'], errors: LINK_ERRORS }),
      schema: {
        summary: 'Cambiar la contraseña con un enlace',
        body: passwordReset,
        response: { 200: passwordSet },
      },
    },
    async (request, reply) => {
      const api_keys = await inTurn(request.body.token, callerGone(reply), () =>
        resetPassword(context, request.body, originOf(request)),
      );
      return { success: true as const, message: ACCOUNT_RESULTS.passwordReset, api_keys };
    },
  );

  app.route({
    method: SAVING,
    url: '/api/auth/user/',
    config: signedInUser({
      writes: ['user.updated'],
      errors: { 403: STEP_UP_403, 429: true },
      record: account,
    }),
    schema: {
      tags: ['Autenticación'],
      summary: 'Cambiar los datos propios',
      body: accountChange,
      response: { 200: savedCurrentUser },
    },
    handler: async (request, reply) => {
      const user = await changeAccount(context, request.body, personOf(request, reply));
      return { ...(await currentUserOf(context, request, user)), ...mailAdvice(user.email) };
    },
  });

  addOwnSessionRoutes(app, context);
});

/** The routes for the password, the confirmation of identity and the sessions of the signed-in person. */
function addOwnSessionRoutes(app: RoutesApp, context: AppContext): void {
  const { db, now } = context;
  const idleMs = context.config.sessionIdleMs;

  app.post(
    '/api/auth/password/change/',
    {
      config: signedInUser({ writes: ['user.password_changed'], errors: { 429: true } }),
      schema: {
        summary: 'Cambiar la contraseña propia',
        body: passwordChange,
        response: { 200: passwordSet },
      },
    },
    async (request, reply) => {
      const api_keys = await changePassword(context, request.body, personOf(request, reply));
      return { success: true as const, message: ACCOUNT_RESULTS.passwordChanged, api_keys };
    },
  );

  app.post(
    '/api/auth/step-up/',
    {
      // Also for somebody without a password, who confirms the identity before setting up the second factor.
      config: signedInUser({
        writes: NOTHING,
        errors: { 404: NO_OIDC, 409: 'Aquí no se ofrecen llaves de acceso (conflict)', 429: true },
        duringMfaSetup: true,
      }),
      schema: {
        summary: 'Confirmar la identidad antes de una acción delicada',
        body: stepUp,
        response: { 200: done },
      },
    },
    async (request, reply) => {
      const browser = oidcCookieOf(context, request);
      await confirmIdentity(context, request.body, personOf(request, reply), browser);
      return { success: true as const, message: ACCOUNT_RESULTS.confirmed };
    },
  );

  app.get(
    '/api/auth/sessions/',
    {
      config: signedInUser(),
      schema: { summary: 'Listar las sesiones propias', response: { 200: sessionList } },
    },
    async (request) => {
      const { userId, sessionId } = sessionOf(request);
      return { results: await listSessions(db, userId, sessionId, { now: now(), idleMs }) };
    },
  );

  app.delete(
    '/api/auth/sessions/:id(^\\d+$)/',
    {
      config: signedInUser({ writes: ['session.revoked'] }),
      schema: { summary: 'Cerrar una sesión propia', params: idParams, response: { 200: done } },
    },
    async (request) => {
      const { userId } = sessionOf(request);
      await inRequest(context, request, async (scope) => {
        if (!(await isSessionOf(scope.tx, request.params.id, userId, { now: scope.now, idleMs }))) {
          throw notFound(ACCOUNT_MESSAGES.sessionNotFound);
        }
        await endSession(scope, request.params.id);
      });
      return { success: true as const, message: ACCOUNT_RESULTS.sessionEnded };
    },
  );

  app.post(
    '/api/auth/sessions/revoke_others/',
    {
      config: signedInUser({ writes: ['session.revoked'] }),
      schema: { summary: 'Cerrar las demás sesiones propias', response: { 200: done } },
    },
    async (request) => {
      const { userId, sessionId } = sessionOf(request);
      await inRequest(context, request, async (scope) => {
        for (const id of await openSessionIds(scope.tx, userId, { now: scope.now, idleMs })) {
          if (id !== sessionId) await endSession(scope, id);
        }
      });
      return { success: true as const, message: ACCOUNT_RESULTS.sessionsEnded };
    },
  );
}
