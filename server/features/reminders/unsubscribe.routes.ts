import type { FastifyReply, FastifySchema } from 'fastify';
import { z } from 'zod';
import { PORTAL_PATH } from '../../../contract/portal/portal-words.ts';
import type { AppContext } from '../../context.ts';
import { anyone } from '../../http/access.ts';
import { inRequest } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import { contactActorName } from '../../rules/client-contacts.ts';
import type { Scope } from '../../scope.ts';
import { dropContactTopic, replaceClient } from '../clients/save-client.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { findHolderOfToken } from './reminders.queries.ts';
import { type UnsubscribeState, unsubscribePage } from './unsubscribe-page.ts';

const URL = '/licenses/api/unsubscribe/:token/';
const UNKNOWN = { 404: 'El enlace no es válido' };
const params = z.object({ token: z.string() });
const page = { content: { 'text/html': { schema: z.string() } } };

/** Typed loosely, because the answers are HTML pages. */
const describe = (summary: string): FastifySchema => ({
  summary,
  params,
  response: { 200: page, 404: page },
});

/**
 * The unsubscribe link of reminders (LIFE-08). A GET only shows the question, because some programs open links in
 * mails automatically. A POST unsubscribes: from the page's button, or from a mail program (RFC 8058). The token in
 * the path is the credential.
 */
export const unsubscribeRoutes = routesOf('Avisos', async (app, context) => {
  await app.register(async (pages) => addPages(pages, context));
});

/** A separate plugin, because its bodies are forms. */
function addPages(app: RoutesApp, context: AppContext): void {
  const { db, config } = context;
  // RFC 8058 sends a form; its content is ignored.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, {}));

  const send = async (reply: FastifyReply, state: UnsubscribeState) => {
    const { vendor_name: vendor, accent_color: accent, portal_enabled } = await readSettings(db);
    const portal = portal_enabled ? config.clientUrl + PORTAL_PATH : null;
    const { html, headers } = unsubscribePage({ state, vendor, accent, portal });
    return reply
      .code(state === 'unknown' ? 404 : 200)
      .headers(headers)
      .send(html);
  };
  const holderOf = (input: unknown) => findHolderOfToken(db, params.parse(input).token);

  app.get(
    URL,
    {
      config: anyone({ onPortalHost: true, errors: UNKNOWN }),
      schema: describe('Preguntar si un cliente, o un contacto suyo, ya no quiere avisos'),
    },
    async (request, reply) => {
      const holder = await holderOf(request.params);
      if (!holder) return send(reply, 'unknown');
      return send(reply, holder.reminders ? 'asks' : 'done');
    },
  );

  app.post(
    URL,
    {
      config: anyone({ onPortalHost: true, writes: ['client.updated'], errors: UNKNOWN }),
      schema: describe('Dejar de enviar avisos a un cliente, o a un contacto suyo (RFC 8058)'),
    },
    async (request, reply) => {
      const holder = await holderOf(request.params);
      if (!holder) return send(reply, 'unknown');
      const { id, contact, reminders } = holder;
      if (reminders) {
        const stop = (scope: Scope): Promise<unknown> =>
          contact
            ? dropContactTopic(scope, id, { email: contact.email, topic: 'reminders' })
            : replaceClient(scope, id, { reminders: false });
        const name = contact ? contactActorName(holder.name, contact.name) : holder.name;
        await inRequest(context, request, stop, { kind: 'client', id, name });
      }
      return send(reply, 'done');
    },
  );
}
