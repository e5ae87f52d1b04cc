import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  AUTH_MESSAGES,
  AUTH_RESULTS,
  credentials,
  currentUser,
  refreshed,
  refreshRequest,
  registration,
  SIGN_IN_MESSAGES,
  signedIn,
} from '../../../contract/auth.ts';
import { done } from '../../../contract/errors.ts';
import { type AppContext, PUBLIC, STAFF } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { callerGone } from '../../lib/caller-gone.ts';
import { signedInUser } from '../../lib/signed-in-user.ts';
import { revokeSession } from './auth.queries.ts';
import { sessionOf } from './authenticate.ts';
import { refreshSession } from './refresh-session.ts';
import { registerUser } from './register-user.ts';
import { signIn } from './sign-in.ts';

const tags = ['Autenticación'];

export const authRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/api/auth/login/',
      {
        config: PUBLIC,
        schema: { tags, summary: 'Iniciar sesión', body: credentials, response: { 200: signedIn } },
      },
      async (request, reply) => {
        const username = request.body.username ?? '';
        const password = request.body.password ?? '';
        if (username === '' || password === '') throw incompleteCredentials(username, password);
        const result = await signIn(context, {
          username,
          password,
          address: request.ip,
          signal: callerGone(reply),
        });
        return { success: true as const, ...result, message: SIGN_IN_MESSAGES.success };
      },
    );

    app.post(
      '/api/auth/logout/',
      { config: STAFF, schema: { tags, summary: 'Cerrar sesión', response: { 200: done } } },
      async (request) => {
        await revokeSession(context.db, signedInUser(request).sessionId, context.now());
        return { success: true as const, message: AUTH_RESULTS.signedOut };
      },
    );

    app.get(
      '/api/auth/user/',
      { config: STAFF, schema: { tags, summary: 'Usuario actual', response: { 200: currentUser } } },
      async (request) => {
        const { userId: id, username, names, last_name, email } = signedInUser(request);
        // Who is not active has no session.
        return { success: true as const, user: { id, username, names, last_name, email, is_active: true } };
      },
    );

    app.post(
      '/api/auth/register/',
      {
        config: PUBLIC,
        schema: { tags, summary: 'Registrar un usuario', body: registration, response: { 201: signedIn } },
      },
      async (request, reply) => {
        const isSignedIn = (await sessionOf(context, request)) !== null;
        const result = await registerUser(context, request.body, isSignedIn);
        return reply.code(201).send({ success: true as const, ...result, message: AUTH_RESULTS.registered });
      },
    );

    app.post(
      '/api/auth/refresh/',
      {
        config: PUBLIC,
        schema: { tags, summary: 'Renovar los tokens', body: refreshRequest, response: { 200: refreshed } },
      },
      async (request) => ({
        success: true as const,
        ...(await refreshSession(context, request.body.refresh_token)),
      }),
    );
  };

/** The message is the one that the console's catalogue knows (SEED-8.2-04); the fields are named besides. */
function incompleteCredentials(username: string, password: string): AppError {
  return new AppError(400, 'invalid', {
    message: SIGN_IN_MESSAGES.incomplete,
    errors: {
      ...(username === '' && { username: [AUTH_MESSAGES.usernameRequired] }),
      ...(password === '' && { password: [AUTH_MESSAGES.passwordRequired] }),
    },
  });
}
