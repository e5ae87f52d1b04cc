import type { FastifyRequest } from 'fastify';
import { DETAIL_LABELS } from '../../../contract/base/detail-labels.ts';
import type { FileColumn } from '../../../contract/base/file-columns.ts';
import { LABELS } from '../../../contract/base/labels.ts';
import {
  EVENT_MESSAGES,
  type Event,
  type EventFilters,
  eventExportQuery,
  eventPage,
  eventQuery,
} from '../../../contract/system/events.ts';
import { rightOf } from '../../../contract/system/webhooks.ts';
import { forbidden } from '../../errors.ts';
import { withToken } from '../../http/access.ts';
import { columnsIn, sendCsv } from '../../http/file-reply.ts';
import { maySeeKeys, withoutKeys } from '../../http/mask-keys.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { shownActorTo } from '../../rules/actor-names.ts';
import { askedEvents, eventList, eventsAfter } from './event-list.ts';
import { recordsGone } from './events.queries.ts';

/**
 * Checks the permission: the events of a client or licence need its read permission; all events need audit:read
 * (EVENT-05). An API key without audit:read may also read event types that the call lists, if it has the read
 * permission for their subjects; webhooks follow the same rule. So a key can follow its records, but sees no events
 * about staff.
 */
function authorizeReader(request: FastifyRequest, { client, license, type }: EventFilters): void {
  const { permissions, session } = principalOf(request);
  if (permissions.has('audit:read')) return;
  if (license !== undefined && permissions.has('licenses:read')) return;
  if (client !== undefined && permissions.has('clients:read')) return;
  if (session !== null) throw forbidden();
  if (type === undefined) throw forbidden(EVENT_MESSAGES.typesOfKey);
  const hidden = type.filter((name) => !permissions.has(rightOf(name) ?? 'audit:read'));
  if (hidden.length > 0) throw forbidden(EVENT_MESSAGES.typesForbidden(hidden));
}

/**
 * Hides the parts of an event that a caller may not see. Without audit:read, a history shows which colleague acted,
 * but neither the IP address nor the colleague's email address (EVENT-05).
 */
function shownTo(request: FastifyRequest): (event: Event) => Event {
  const keys = maySeeKeys(request) ? (event: Event) => event : withoutKeys<Event>;
  if (principalOf(request).permissions.has('audit:read')) return keys;
  const shownActor = shownActorTo(principalOf(request));
  return (event) => {
    const { actor } = event;
    if (actor.kind !== 'user' && actor.kind !== 'api_key') return keys(event);
    return keys({ ...event, actor: shownActor(actor), ip: null, request_id: null });
  };
}

const columns: FileColumn<Event>[] = [
  { header: 'ID', type: 'count', value: (event) => event.id },
  { header: DETAIL_LABELS.date, type: 'moment', value: (event) => event.at },
  { header: LABELS.type, type: 'text', value: (event) => event.type },
  { header: 'Autor', type: 'text', value: (event) => event.actor.name },
  { header: 'Tipo de autor', type: 'text', value: (event) => event.actor.kind },
  { header: 'Registro', type: 'text', value: (event) => event.subject.name },
  { header: LABELS.client, type: 'text', value: (event) => event.client?.name ?? '' },
  { header: LABELS.license, type: 'text', value: (event) => event.license?.license_key ?? '' },
  { header: 'Cambios', type: 'text', value: (event) => JSON.stringify(event.changes) },
  { header: DETAIL_LABELS.reason, type: 'text', value: (event) => event.reason ?? '' },
  { header: 'IP', type: 'text', value: (event) => event.ip ?? '' },
  { header: 'Solicitud', type: 'text', value: (event) => event.request_id ?? '' },
];

export const eventRoutes = routesOf('Eventos', (app, context) => {
  const { db } = context;
  const moment = () => ({ now: context.now(), timeZone: context.config.timeZone });

  app.get(
    '/licenses/api/events/',
    {
      config: withToken(),
      schema: {
        summary: 'Listar eventos',
        description:
          'Los más recientes primero; con after, los que siguen a ese id, primero los más antiguos. Con client o license basta poder leer clientes o licencias; sin ellos se necesita audit:read, o, con una clave de API, nombrar en type eventos de registros que puede leer.',
        querystring: eventQuery,
        response: { 200: eventPage },
      },
    },
    async (request) => {
      const { before, after, limit, ...filters } = request.query;
      authorizeReader(request, filters);
      const asked = await askedEvents(db, filters);
      const isForward = after !== undefined;
      const { rows, next } = isForward
        ? await eventsAfter(db, asked, { after, limit }, moment())
        : await eventList.newest(db, asked, { before, limit }, moment());
      const results = rows.map(shownTo(request));
      const cursor = isForward ? { next_before: null, next_after: next } : { next_before: next };
      return { results, ...cursor, gone: await recordsGone(db, results) };
    },
  );

  app.get(
    '/licenses/api/events/export/',
    {
      config: withToken(),
      schema: { summary: 'Exportar eventos (CSV)', querystring: eventExportQuery },
    },
    (request, reply) => {
      const { values, ...filters } = request.query;
      authorizeReader(request, filters);
      const shown = shownTo(request);
      async function* batches() {
        const asked = await askedEvents(db, filters);
        for await (const events of eventList.export(db, asked, moment())) yield events.map(shown);
      }
      return sendCsv(context, reply, 'eventos', columnsIn(context, values, columns), batches());
    },
  );
});
