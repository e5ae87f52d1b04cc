import type { FastifyError, FastifySchema } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { done } from '../../../contract/base/errors.ts';
import { LOGO_BYTES_MAX, LOGO_MESSAGES, LOGO_RESULTS, LOGO_TYPES } from '../../../contract/settings/logo.ts';
import { settingsAnswer } from '../../../contract/settings/settings.ts';
import type { AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { anyone, can } from '../../http/access.ts';
import { handleError } from '../../http/error-handler.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { etagOf } from '../../http/version.ts';
import { changeLogo, removeLogo } from './change-logo.ts';
import { readLogo } from './logo.queries.ts';

const URL = '/licenses/api/settings/logo/';
const NONE = { 404: 'No hay logo (not_found)' };
const REFUSED = {
  413: 'Logo de más de 200 kB (too_large)',
  415: 'El logo no es PNG ni JPEG (unsupported_media_type)',
};

/** Browsers and mail programs cache the logo this long before they check whether it changed. */
const CACHE = 'public, max-age=300';

const picture = { schema: z.string().meta({ format: 'binary' }) };
/** Typed loosely, because the handler sends the file's bytes, or 304 without a body. */
const FILE: FastifySchema = {
  summary: 'Ver el logo',
  response: { 200: { content: { 'image/png': picture, 'image/jpeg': picture } } },
};

/** The vendor's logo (MAIL-03). The body is the file itself. */
export const logoRoutes = routesOf('Configuración', async (app, context) => {
  app.get(
    URL,
    {
      config: anyone({ onPortalHost: true, errors: NONE }),
      schema: FILE,
    },
    async (request, reply) => {
      const logo = await readLogo(context.db);
      if (!logo) throw notFound(LOGO_MESSAGES.none);
      const etag = etagOf(logo.updated_at);
      reply.headers({ etag, 'cache-control': CACHE, 'cross-origin-resource-policy': 'cross-origin' });
      const known = request.headers['if-none-match'] ?? '';
      if (known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
        return reply.code(304).send();
      }
      return reply.type(logo.media_type).send(logo.content);
    },
  );

  app.delete(
    URL,
    {
      config: can('settings:manage', { writes: ['settings.updated'], errors: NONE }),
      schema: { summary: 'Quitar el logo', response: { 200: done } },
    },
    async (request) => {
      await inRequest(context, request, (scope) => removeLogo(scope));
      return { success: true as const, message: LOGO_RESULTS.removed };
    },
  );

  await app.register(logoUpload(context));
});

/** A separate plugin, because its bodies are files and not JSON, and its error messages are about files. */
const logoUpload =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser([...LOGO_TYPES], { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.addContentTypeParser('*', (_request, _body, done) => done(otherType()));
    app.setErrorHandler<FastifyError>((error, request, reply) =>
      handleError(error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge() : error, request, reply),
    );

    app.put(
      URL,
      {
        bodyLimit: LOGO_BYTES_MAX,
        config: can('settings:manage', {
          writes: ['settings.updated'],
          takes: LOGO_TYPES,
          errors: REFUSED,
        }),
        schema: { summary: 'Cambiar el logo', response: { 200: settingsAnswer } },
      },
      async (request, reply) => {
        const { body, headers } = request;
        if (!Buffer.isBuffer(body)) throw otherType();
        const type = String(headers['content-type']).split(';', 1)[0]!.trim().toLowerCase();
        const saved = await inRequest(context, request, (scope) =>
          changeLogo(scope, { type, content: body }),
        );
        reply.header('etag', etagOf(saved.logo_updated_at ?? ''));
        return saved;
      },
    );
  };

const otherType = () => new AppError(415, 'unsupported_media_type', { message: LOGO_MESSAGES.type });
const tooLarge = () => new AppError(413, 'too_large', { message: LOGO_MESSAGES.size });
