import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { done } from '../../../../contract/base/errors.ts';
import { SIGN_IN_MESSAGES, signedIn } from '../../../../contract/people/auth.ts';
import { linkSignIn, oidcStart, oidcToken } from '../../../../contract/people/oidc.ts';
import { OIDC_FRAGMENT, OIDC_RESULTS } from '../../../../contract/people/oidc-messages.ts';
import { anyone, type RouteFacts, signedIn as signedInUser } from '../../../http/access.ts';
import { NO_OIDC, PERSON_403 } from '../../../http/openapi-errors.ts';
import { confirmedSession } from '../../../http/request-scope.ts';
import { routesOf } from '../../../http/routes.ts';
import { reasonOf } from '../../../lib/reason-of.ts';
import { personOf, visitorOf } from '../sign-in/callers.ts';
import { begin } from './begin.ts';
import { finishOidc } from './finish.ts';
import { oidcOf } from './issuer.ts';
import { linkIdentity, unlinkIdentity } from './link-identity.ts';
import { signInByLink } from './link-sign-in.ts';
import { oidcCookieOf, setOidcCookie } from './oidc-cookie.ts';
import { receive } from './receive.ts';

/** Signing in with OpenID Connect (SIGN-02, docs/decisions/168-openid-connect.md). */

const BAD_TOKEN = 'Datos inválidos (invalid), o el token no vale en este navegador (invalid_token)';
const FINISH_ERRORS = {
  400: BAD_TOKEN,
  401: 'Falta el código (mfa_required, con mfa_token)',
  403: 'Sin invitación o sin rol (forbidden), o usuario inactivo (user_inactive)',
  404: NO_OIDC,
  429: true,
} as const;
const LINK_ERRORS = {
  400: 'Datos inválidos (invalid), o el enlace ya no vale (invalid_token)',
  401: FINISH_ERRORS[401],
  429: true,
} as const;
const TAKEN = 'La cuenta ya tiene otra identidad, o la identidad es de otra cuenta (conflict)';
/** An answer without content. */
const REDIRECTED = { 302: z.string() };
const REDIRECT: RouteFacts = { errors: { 404: NO_OIDC } };

export const oidcRoutes = routesOf('Autenticación', (app, context) => {
  const keepCookie = (request: FastifyRequest, reply: FastifyReply, cookie: string | null) =>
    setOidcCookie(context, request, reply, cookie);
  const fail = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
    // The reason alone: what the library throws may hold the whole answer, with its tokens.
    request.log.warn({ reason: reasonOf(error) }, 'no se pudo entrar con OpenID Connect');
    return reply.redirect(`/login#${OIDC_FRAGMENT.failed}`, 302);
  };

  app.get(
    '/api/auth/oidc/start/',
    {
      config: anyone(REDIRECT),
      schema: { summary: 'Ir a entrar con OpenID Connect', querystring: oidcStart, response: REDIRECTED },
    },
    async (request, reply) => {
      oidcOf(context);
      try {
        const { url, cookie } = await begin(context, { isStepUp: request.query.step_up === '1' });
        keepCookie(request, reply, cookie);
        return reply.redirect(url, 302);
      } catch (error) {
        return fail(request, reply, error);
      }
    },
  );

  app.get(
    '/api/auth/oidc/callback/',
    {
      config: anyone(REDIRECT),
      schema: { summary: 'Volver de entrar con OpenID Connect', response: REDIRECTED },
    },
    async (request, reply) => {
      oidcOf(context);
      try {
        const { searchParams: query } = new URL(request.url, 'http://localhost');
        const cookie = oidcCookieOf(context, request);
        const token = await receive(context, { query, cookie }, visitorOf(request, reply));
        return reply.redirect(`/login#${OIDC_FRAGMENT.token}=${token}`, 302);
      } catch (error) {
        return fail(request, reply, error);
      }
    },
  );

  app.post(
    '/api/auth/oidc/finish/',
    {
      config: anyone({
        writes: [
          'user.signed_in',
          'user.joined',
          'user.identity_linked',
          'user.updated',
          'user.password_changed',
        ],
        errors: FINISH_ERRORS,
      }),
      schema: {
        summary: 'Iniciar sesión con el token de OpenID Connect',
        body: oidcToken,
        response: { 200: signedIn },
      },
    },
    async (request, reply) => {
      const { token } = request.body;
      const cookie = oidcCookieOf(context, request);
      const result = await finishOidc(context, { token, cookie }, visitorOf(request, reply));
      keepCookie(request, reply, null);
      return { success: true as const, ...result, message: SIGN_IN_MESSAGES.success };
    },
  );

  app.post(
    '/api/auth/link/',
    {
      config: anyone({ writes: ['user.signed_in'], errors: LINK_ERRORS }),
      schema: {
        summary: 'Iniciar sesión con un enlace de quien administra el servidor',
        body: linkSignIn,
        response: { 200: signedIn },
      },
    },
    async (request, reply) => ({
      success: true as const,
      ...(await signInByLink(context, request.body.token, visitorOf(request, reply))),
      message: SIGN_IN_MESSAGES.success,
    }),
  );

  app.post(
    '/api/auth/oidc/link/',
    {
      config: signedInUser({
        writes: ['user.identity_linked'],
        errors: { 400: BAD_TOKEN, 403: PERSON_403, 404: NO_OIDC, 409: TAKEN, 429: true },
      }),
      schema: {
        tags: ['Mi cuenta'],
        summary: 'Enlazar la identidad de OpenID Connect a la cuenta propia',
        body: oidcToken,
        response: { 200: done },
      },
    },
    async (request, reply) => {
      confirmedSession(request, context.now());
      const { token } = request.body;
      const cookie = oidcCookieOf(context, request);
      await linkIdentity(context, { token, cookie }, personOf(request, reply));
      keepCookie(request, reply, null);
      return { success: true as const, message: OIDC_RESULTS.linked };
    },
  );

  app.delete(
    '/api/auth/oidc/',
    {
      config: signedInUser({
        writes: ['user.identity_unlinked'],
        errors: {
          403: PERSON_403,
          404: 'No hay ninguna identidad, o aquí no se entra con OpenID Connect (not_found)',
          409: 'Es la única forma de entrar (conflict)',
        },
      }),
      schema: {
        tags: ['Mi cuenta'],
        summary: 'Quitar la identidad de OpenID Connect de la cuenta propia',
        response: { 200: done },
      },
    },
    async (request, reply) => {
      confirmedSession(request, context.now());
      await unlinkIdentity(context, personOf(request, reply));
      return { success: true as const, message: OIDC_RESULTS.unlinked };
    },
  );
});
