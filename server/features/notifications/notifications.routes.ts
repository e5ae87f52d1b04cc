import type { FastifyRequest } from 'fastify';
import {
  notificationPage,
  notificationsRead,
  notificationsReadResult,
} from '../../../contract/mail/notifications.ts';
import { NOTHING, signedIn } from '../../http/access.ts';
import { inRequest, principalOf, sessionOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { mayMakeCopies } from '../../rules/may-make-copies.ts';
import { insertReads, readBy } from './notification-reads.queries.ts';
import { currentItems, itemsToRead, type Reader } from './notifications.queries.ts';

export const notificationRoutes = routesOf('Notificaciones', (app, context) => {
  const { db, now, config } = context;
  const readerOf = (request: FastifyRequest): Reader => ({
    role: sessionOf(request).role,
    permissions: principalOf(request).permissions,
    now: now(),
    timeZone: config.timeZone,
    mayMakeCopies: mayMakeCopies(config),
  });

  app.get(
    '/licenses/api/notifications/',
    {
      config: signedIn(),
      schema: {
        summary: 'Ver lo que pide atención',
        description:
          'Licencias que vencen en 30 días, correos fallidos, lugares completos y copias que faltan, lo más reciente primero. Cada usuario tiene lo suyo sin leer.',
        response: { 200: notificationPage },
      },
    },
    async (request) => {
      const items = await currentItems(db, readerOf(request));
      const read = await readBy(db, sessionOf(request).userId, items);
      return {
        unread: items.filter(({ id }) => !read.has(id)).length,
        results: items.map(({ ref: _ref, ends: _ends, ...item }) => ({ ...item, read: read.has(item.id) })),
      };
    },
  );

  app.post(
    '/licenses/api/notifications/read/',
    {
      config: signedIn({ writes: NOTHING }),
      schema: {
        summary: 'Marcar notificaciones como leídas',
        description: 'Sin ids, todas. Un id de algo que ya pasó se ignora.',
        body: notificationsRead,
        response: { 200: notificationsReadResult },
      },
    },
    async (request) => {
      const { ids } = request.body;
      const { userId } = sessionOf(request);
      const reader = readerOf(request);
      const known = await itemsToRead(db, reader);
      const items = ids === undefined ? known : known.filter(({ id }) => ids.includes(id));
      await inRequest(context, request, ({ tx }) => insertReads(tx, userId, items));
      const current = await currentItems(db, reader);
      const read = await readBy(db, userId, current);
      return { success: true as const, unread: current.filter(({ id }) => !read.has(id)).length };
    },
  );
});
