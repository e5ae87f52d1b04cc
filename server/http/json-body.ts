import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, fault, invalid } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it was sent, before its schema trimmed and completed it. */
    sentBody: unknown;
  }
}

/**
 * Accepts only uncompressed JSON in UTF-8. An empty body counts as an empty object, with any content type (D082).
 * Keys that could change a prototype are refused (D091).
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.decorateRequest('sentBody', undefined);
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text.trim() === '') {
      done(null, undefined);
      return;
    }
    const refusal = unreadable(request.headers);
    if (refusal) {
      done(refusal);
      return;
    }
    parse(request, text, (error, value) => {
      if (error) done(error);
      else if (text.includes('constructor') && hasKey(value, 'constructor')) {
        done(invalid({ constructor: [fault('not_allowed', 'No se admite este campo')] }));
      } else done(null, value);
    });
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.method !== 'GET' && request.method !== 'HEAD')
      request.body = {};
    request.sentBody = request.body;
    done();
  });
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** The error for a body that cannot be read correctly, or null. An empty content-encoding counts as none. */
function unreadable(headers: FastifyRequest['headers']): AppError | null {
  const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  if (codings.some((coding) => !['', 'identity'].includes(coding.trim()))) {
    return new AppError(415, 'unsupported_media_type', {
      message: 'El contenido debe enviarse sin comprimir (sin Content-Encoding)',
      // RFC 9110, 15.5.16: the answer lists the supported codings.
      headers: { 'accept-encoding': 'identity' },
    });
  }
  const charset = CHARSET.exec(String(headers['content-type']))?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return null;
  return new AppError(415, 'unsupported_media_type', { message: 'El contenido debe enviarse en UTF-8' });
}

function hasKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((inner) => hasKey(inner, key));
}
