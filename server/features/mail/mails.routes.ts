import { done } from '../../../contract/base/errors.ts';
import { idParams } from '../../../contract/base/page.ts';
import { mailsWaiting } from '../../../contract/mail/mail-settings.ts';
import {
  MAIL_MESSAGES,
  mail,
  mailPage,
  mailTestRequest,
  TEMPLATE_RESULTS,
  templateParams,
} from '../../../contract/mail/mails.ts';
import { notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { answerOnce } from '../../http/idempotency.ts';
import { inRequest, sessionOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { addListRoutes } from '../../records/record-routes.ts';
import { mailList } from './mail-list.ts';
import { findMail } from './mails.queries.ts';
import { cancelMail, resendMail } from './resend-mail.ts';
import { sendWaiting } from './send-waiting.ts';
import { queueTestMail } from './test-mail.ts';
import { countWaiting } from './waiting-mails.queries.ts';

const ONE = '/licenses/api/mails/:id(^\\d+$)/';

export const mailRoutes = routesOf('Correos', (app, context) => {
  app.post(
    '/licenses/api/mail-templates/:kind/test/',
    {
      config: can('settings:manage', {
        writes: NOTHING,
        errors: { 409: 'La cuenta no tiene email (conflict)' },
      }),
      schema: {
        tags: ['Plantillas de correo'],
        summary: 'Enviarse una plantilla como prueba',
        params: templateParams,
        body: mailTestRequest,
        response: { 200: done },
      },
    },
    async (request) => {
      const { userId } = sessionOf(request);
      const { kind } = request.params;
      const address = await inRequest(context, request, (scope) =>
        queueTestMail(scope, kind, userId, request.body),
      );
      return {
        success: true as const,
        message: TEMPLATE_RESULTS.tested(address, await context.mailer.transport()),
      };
    },
  );

  addListRoutes(app, context, mailList, {
    url: '/licenses/api/mails/',
    config: can('mails:read'),
    summary: 'Listar los correos',
    page: mailPage,
  });

  app.get(
    ONE,
    {
      config: can('mails:read'),
      schema: { summary: 'Ver un correo como salió', params: idParams, response: { 200: mail } },
    },
    async (request) => {
      const found = await findMail(context.db, request.params.id);
      if (!found) throw notFound(MAIL_MESSAGES.notFound);
      return found;
    },
  );

  app.post(
    `${ONE}resend/`,
    {
      config: can('mails:send', {
        writes: ['mail.failed'],
        once: true,
        errors: { 409: 'No se puede reenviar: lo dice el mensaje (conflict)' },
      }),
      schema: { summary: 'Reenviar un correo', params: idParams, response: { 200: mail } },
    },
    (request, reply) =>
      answerOnce(context, request, reply, async (scope) => ({
        status: 200,
        body: await resendMail(scope, request.params.id),
      })),
  );

  const WAITING = '/licenses/api/mails/send_waiting/';
  app.get(
    WAITING,
    {
      config: can('mails:send'),
      schema: {
        summary: 'Contar los correos que esperan un servidor de correo',
        response: { 200: mailsWaiting },
      },
    },
    async () => ({ count: await countWaiting(context.db, context.now()) }),
  );

  app.post(
    WAITING,
    {
      config: can('mails:send', {
        writes: NOTHING,
        errors: { 409: 'No hay un servidor de correo (conflict)' },
      }),
      schema: {
        summary: 'Enviar los correos que esperaban un servidor de correo',
        response: { 202: mailsWaiting },
      },
    },
    async (request, reply) => {
      const answer = await inRequest(context, request, (scope) => sendWaiting(scope, context));
      return reply.code(202).send(answer);
    },
  );

  app.post(
    `${ONE}cancel/`,
    {
      config: can('mails:send', {
        writes: ['mail.failed'],
        errors: { 409: 'El correo ya se envió, o no está en espera (conflict)' },
      }),
      schema: { summary: 'Cancelar un correo en espera', params: idParams, response: { 200: mail } },
    },
    (request) => inRequest(context, request, (scope) => cancelMail(scope, request.params.id)),
  );
});
