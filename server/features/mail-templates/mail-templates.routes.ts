import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  MAIL_KINDS,
  mailPreview,
  mailPreviewRequest,
  mailTemplate,
  mailTemplateReset,
  mailTemplates,
  mailTemplateUpdate,
  templateParams,
} from '../../../contract/mail/mails.ts';
import type { AppContext } from '../../context.ts';
import { can, NOTHING } from '../../http/access.ts';
import { SAVING } from '../../http/idempotency.ts';
import { inRequest } from '../../http/request-scope.ts';
import { etagOf } from '../../http/version.ts';
import { toTemplate } from './mail-template.record.ts';
import { storedTemplates } from './mail-templates.queries.ts';
import { previewTemplate, resetTemplate, saveTemplate } from './save-template.ts';

const tags = ['Plantillas de correo'];
const ONE = '/licenses/api/mail-templates/:kind/';
const params = templateParams;

export const mailTemplateRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = context;

    app.get(
      '/licenses/api/mail-templates/',
      {
        config: can('settings:read'),
        schema: { tags, summary: 'Listar las plantillas de correo', response: { 200: mailTemplates } },
      },
      async () => {
        const stored = await storedTemplates(db);
        return { results: MAIL_KINDS.map((kind) => toTemplate(kind, stored.get(kind))) };
      },
    );

    app.get(
      ONE,
      {
        config: can('settings:read'),
        schema: { tags, summary: 'Ver una plantilla de correo', params, response: { 200: mailTemplate } },
      },
      async (request, reply) => {
        const { kind } = request.params;
        const template = toTemplate(kind, (await storedTemplates(db)).get(kind));
        reply.header('etag', etagOf(template.updated_at));
        return template;
      },
    );

    app.route({
      method: SAVING,
      url: ONE,
      config: can('settings:manage', { writes: ['mail_template.updated'], errors: { 412: true } }),
      schema: {
        tags,
        summary: 'Cambiar una plantilla de correo',
        params,
        body: mailTemplateUpdate,
        response: { 200: mailTemplate },
      },
      handler: async (request, reply) => {
        const saved = await inRequest(context, request, (scope) =>
          saveTemplate(scope, request.params.kind, request.body),
        );
        reply.header('etag', etagOf(saved.updated_at));
        return saved;
      },
    });

    app.post(
      `${ONE}reset/`,
      {
        config: can('settings:manage', { writes: ['mail_template.updated'], errors: { 412: true } }),
        schema: {
          tags,
          summary: 'Volver a la plantilla original',
          params,
          body: mailTemplateReset,
          response: { 200: mailTemplate },
        },
      },
      async (request, reply) => {
        const saved = await inRequest(context, request, (scope) => resetTemplate(scope, request.params.kind));
        reply.header('etag', etagOf(saved.updated_at));
        return saved;
      },
    );

    app.post(
      `${ONE}preview/`,
      {
        config: can('settings:read', { writes: NOTHING }),
        schema: {
          tags,
          summary: 'Ver cómo queda una plantilla, sin guardarla',
          params,
          body: mailPreviewRequest,
          response: { 200: mailPreview },
        },
      },
      (request) => {
        const { publicUrl, timeZone } = context.config;
        const scope = { tx: db, publicUrl, timeZone, now: context.now() };
        return previewTemplate(scope, request.params.kind, request.body);
      },
    );
  };
