import type { FastifyInstance } from 'fastify';
import { invalid } from '../errors.ts';

/**
 * JSON is the only content that is read. An empty body is an empty object, whatever its content type says
 * (D082); keys that could reach a prototype are refused (D091).
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text.trim() === '') {
      done(null, undefined);
      return;
    }
    parse(request, text, (error, value) => {
      if (error) done(error);
      else if (text.includes('constructor') && hasKey(value, 'constructor')) {
        done(invalid({ constructor: ['No se admite este campo'] }));
      } else done(null, value);
    });
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined && request.method !== 'GET' && request.method !== 'HEAD')
      request.body = {};
    done();
  });
}

function hasKey(value: unknown, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((inner) => hasKey(inner, key));
}
