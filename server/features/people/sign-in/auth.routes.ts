import { done } from '../../../../contract/base/errors.ts';
import {
  AUTH_MESSAGES,
  AUTH_RESULTS,
  credentials,
  refreshed,
  refreshRequest,
  registration,
  SIGN_IN_MESSAGES,
  signedIn,
} from '../../../../contract/people/auth.ts';
import { currentUser } from '../../../../contract/people/current-user.ts';
import { AppError, fault } from '../../../errors.ts';
import { anyone, signedIn as signedInUser } from '../../../http/access.ts';
import { ONLY_OIDC } from '../../../http/openapi-errors.ts';
import { inRequest, originOf, sessionOf } from '../../../http/request-scope.ts';
import { routesOf } from '../../../http/routes.ts';
import { findPrincipal } from './authenticate.ts';
import { visitorOf } from './callers.ts';
import { currentUserOf, findAccount } from './current-user.ts';
import { endSession } from './end-session.ts';
import { refreshSession } from './refresh-session.ts';
import { registerUser } from './register-user.ts';
import { signIn } from './sign-in.ts';

const SIGN_IN_ERRORS = {
  401: 'Usuario desconocido o contraseña incorrecta (unauthorized); falta el código (mfa_required, con mfa_token)',
  403: `Usuario inactivo (user_inactive), o ${ONLY_OIDC}`,
  429: true,
} as const;
const REFRESH_ERRORS = { 401: 'El token no es válido o ya se usó (unauthorized)' };
const REGISTRATION_ERRORS = {
  403: 'El registro está cerrado (forbidden), o falta activar la verificación en dos pasos (mfa_setup_required)',
};

export const authRoutes = routesOf('Autenticación', (app, context) => {
  app.post(
    '/api/auth/login/',
    {
      config: anyone({ writes: ['user.signed_in', 'user.sign_in_failed'], errors: SIGN_IN_ERRORS }),
      schema: { summary: 'Iniciar sesión', body: credentials, response: { 200: signedIn } },
    },
    async (request, reply) => {
      const username = request.body.username ?? '';
      const password = request.body.password ?? '';
      if (username === '' || password === '') throw incompleteCredentials(username, password);
      const result = await signIn(context, {
        username,
        password,
        ...visitorOf(request, reply),
        log: request.log,
      });
      return { success: true as const, ...result, message: SIGN_IN_MESSAGES.success };
    },
  );

  app.post(
    '/api/auth/logout/',
    {
      config: signedInUser({ writes: ['session.revoked'], duringMfaSetup: true }),
      schema: { summary: 'Cerrar sesión', response: { 200: done } },
    },
    async (request) => {
      await inRequest(context, request, (scope) => endSession(scope, sessionOf(request).sessionId));
      return { success: true as const, message: AUTH_RESULTS.signedOut };
    },
  );

  app.get(
    '/api/auth/user/',
    {
      config: signedInUser({ duringMfaSetup: true }),
      schema: { summary: 'Usuario actual', response: { 200: currentUser } },
    },
    async (request) =>
      currentUserOf(context, request, await findAccount(context.db, sessionOf(request).userId)),
  );

  app.post(
    '/api/auth/register/',
    {
      config: anyone({ writes: ['user.registered'], errors: REGISTRATION_ERRORS }),
      schema: { summary: 'Registrar un usuario', body: registration, response: { 201: signedIn } },
    },
    async (request, reply) => {
      const caller = await findPrincipal(context, request);
      // This route is open to anyone, so the check for routes with a token did not run.
      if (caller?.session?.mustSetUpMfa) throw new AppError(403, 'mfa_setup_required');
      const result = await registerUser(context, request.body, {
        // An API key cannot register users (PEOPLE-07).
        registrar: caller?.session ? caller : null,
        ...visitorOf(request, reply),
      });
      return reply.code(201).send({ success: true as const, ...result, message: AUTH_RESULTS.registered });
    },
  );

  app.post(
    '/api/auth/refresh/',
    {
      config: anyone({ writes: ['session.revoked'], errors: REFRESH_ERRORS }),
      schema: { summary: 'Renovar los tokens', body: refreshRequest, response: { 200: refreshed } },
    },
    async (request) => ({
      success: true as const,
      ...(await refreshSession(context, request.body.refresh_token, originOf(request))),
    }),
  );
});

/** The console translates this message (SEED-8.2-04); the error also lists the fields. */
function incompleteCredentials(username: string, password: string): AppError {
  return new AppError(400, 'invalid', {
    message: SIGN_IN_MESSAGES.incomplete,
    errors: {
      ...(username === '' && { username: [fault('required', AUTH_MESSAGES.usernameRequired)] }),
      ...(password === '' && { password: [fault('required', AUTH_MESSAGES.passwordRequired)] }),
    },
  });
}
