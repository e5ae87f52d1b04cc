import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../../context.ts';
import { cookieOf, OIDC_COOKIE, setCookie } from '../../../http/cookies.ts';
import { isSecureHost } from '../../../http/portal-host.ts';
import { START_MS } from './start-state.ts';

type Context = Pick<AppContext, 'config'>;

/** The cookie of the start that this browser made last; null without one. */
export const oidcCookieOf = ({ config }: Context, request: FastifyRequest): string | null =>
  cookieOf(request, OIDC_COOKIE, isSecureHost(config, request));

/** @param cookie null removes it */
export const setOidcCookie = (
  { config }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: string | null,
): void =>
  setCookie(reply, OIDC_COOKIE, cookie, {
    isSecure: isSecureHost(config, request),
    seconds: START_MS / 1000,
  });
