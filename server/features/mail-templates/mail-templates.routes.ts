import {
  MAIL_KINDS,
  mailPreview,
  mailPreviewRequest,
  mailTemplate,
  mailTemplateReset,
  mailTemplates,
  mailTemplateUpdate,
  savedTemplate,
  templateParams,
} from '../../../contract/mail/mails.ts';
import { can, NOTHING } from '../../http/access.ts';
import { SAVING } from '../../http/idempotency.ts';
import { PERSON_403 } from '../../http/openapi-errors.ts';
import { confirmedSession, saveInRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { withEtag } from '../../http/version.ts';
import { toTemplate } from './mail-template.record.ts';
import { storedTemplates } from './mail-templates.queries.ts';
import { previewTemplate, resetTemplate, saveTemplate } from './save-template.ts';

const ONE = '/licenses/api/mail-templates/:kind/';
const params = templateParams;

export const mailTemplateRoutes = routesOf('Plantillas de correo', (app, context) => {
  const { db } = context;

  app.get(
    '/licenses/api/mail-templates/',
    {
      config: can('settings:read'),
      schema: { summary: 'Listar las plantillas de correo', response: { 200: mailTemplates } },
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
      schema: { summary: 'Ver una plantilla de correo', params, response: { 200: mailTemplate } },
    },
    async (request, reply) => {
      const { kind } = request.params;
      return withEtag(reply, toTemplate(kind, (await storedTemplates(db)).get(kind)));
    },
  );

  app.route({
    method: SAVING,
    url: ONE,
    config: can('settings:manage', {
      writes: ['mail_template.updated'],
      errors: { 403: PERSON_403, 412: true },
    }),
    schema: {
      summary: 'Cambiar una plantilla de correo',
      params,
      body: mailTemplateUpdate,
      response: { 200: savedTemplate },
    },
    handler: (request, reply) => {
      // Requires a confirmed identity, because a mail can tell clients where to pay (decision 113).
      confirmedSession(request, context.now());
      return saveInRequest(context, request, reply, (scope) =>
        saveTemplate(scope, request.params.kind, request.body),
      );
    },
  });

  app.post(
    `${ONE}reset/`,
    {
      config: can('settings:manage', {
        writes: ['mail_template.updated'],
        errors: { 403: PERSON_403, 412: true },
      }),
      schema: {
        summary: 'Volver a la plantilla original',
        params,
        body: mailTemplateReset,
        response: { 200: mailTemplate },
      },
    },
    (request, reply) => {
      confirmedSession(request, context.now());
      return saveInRequest(context, request, reply, (scope) => resetTemplate(scope, request.params.kind));
    },
  );

  app.post(
    `${ONE}preview/`,
    {
      config: can('settings:read', { writes: NOTHING }),
      schema: {
        summary: 'Ver cómo queda una plantilla, sin guardarla',
        params,
        body: mailPreviewRequest,
        response: { 200: mailPreview },
      },
    },
    (request) => {
      const { publicUrl, clientUrl, mailFrom, timeZone } = context.config;
      const scope = { tx: db, publicUrl, clientUrl, mailFrom, timeZone, now: context.now() };
      return previewTemplate(scope, request.params.kind, request.body);
    },
  );
});
