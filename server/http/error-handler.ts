import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isOutOfTime, isUnavailable } from '../db/dialect.ts';
import { AppError, fault, invalid, unavailable } from '../errors.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { bearerChallenge } from './bearer.ts';
import { loggedPath } from './log-path.ts';

/** Fastify's own errors in our error format. Every other 4xx of fastify is an invalid request. */
const FRAMEWORK_ERRORS: Record<string, () => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError(413, 'too_large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new AppError(415, 'unsupported_media_type'),
  FST_ERR_BAD_URL: () => new AppError(404, 'not_found'),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError(404, 'not_found'),
};

/** Converts any thrown value into an AppError; an unexpected error becomes a 500 without details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) return unavailable();
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = code !== undefined ? FRAMEWORK_ERRORS[code] : undefined;
  if (known) return known();
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return invalid({ body: [fault('invalid', 'El contenido no es JSON válido')] });
  }
  return new AppError(500, 'server_error');
}

/**
 * The error handler of the server: one body format for all errors (contract/base/errors.ts). If an error occurs while
 * an answer is being sent, fastify breaks the connection, so that the caller does not mistake a part for the whole
 * answer. A caller who disconnects in the middle of the body is not a server error.
 */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const hangsUp = error !== null && error === request.raw.errored;
  const answer = hangsUp
    ? invalid({ body: [fault('invalid', 'El contenido llegó incompleto')] })
    : toAppError(error);
  // Without an answer the onResponse hook writes no log line.
  if (hangsUp) {
    const { method, url, ip } = request;
    request.log.info({ method, path: loggedPath(url), ip }, 'solicitud interrumpida');
  }
  if (answer.status >= 500) request.log.error(loggedError(error), 'la solicitud falló');
  if (answer.status === 401) reply.header('www-authenticate', bearerChallenge(request));
  void reply
    .code(answer.status)
    .headers(answer.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(answer.toBody()));
}

/**
 * If the database cannot be reached or accepts no changes, every call fails. The log then has the reason without a
 * stack. After a timeout the stack is logged, because it shows which statement it was.
 */
const loggedError = (error: unknown) =>
  isUnavailable(error) && !isOutOfTime(error)
    ? { error: reasonOf(error), code: (error as { code?: unknown }).code }
    : { err: error };
