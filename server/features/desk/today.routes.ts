import type { FastifyRequest } from 'fastify';
import { todayLater, todayList, todayMark, todayParams } from '../../../contract/desk/today.ts';
import { NOTHING, withToken } from '../../http/access.ts';
import { inRequest, principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { mayMakeCopies } from '../../rules/may-make-copies.ts';
import { markToday, reopenToday } from './today/mark-today.ts';
import type { TodayReader } from './today/source.ts';
import { listToday } from './today/today.queries.ts';

export const todayRoutes = routesOf('Para hoy', (app, context) => {
  const { db, now, config } = context;
  const readerOf = (request: FastifyRequest): TodayReader => ({
    role: principalOf(request).session?.role ?? null,
    permissions: principalOf(request).permissions,
    now: now(),
    timeZone: config.timeZone,
    mayMakeCopies: mayMakeCopies(config),
  });

  app.get(
    '/licenses/api/today/',
    {
      config: withToken(),
      schema: {
        summary: 'Ver lo que hay que hacer hoy',
        description:
          'Hasta 50 asuntos, el más urgente primero; cada quien ve los que puede atender. Lo que se marca como hecho, o para otro día, se quita para todos.',
        response: { 200: todayList },
      },
    },
    (request) => listToday(db, readerOf(request)),
  );

  app.post(
    '/licenses/api/today/:matter/done/',
    {
      config: withToken({ writes: NOTHING }),
      schema: { summary: 'Marcar un asunto como hecho', params: todayParams, response: { 200: todayMark } },
    },
    (request) =>
      inRequest(context, request, (scope) =>
        markToday(scope, readerOf(request), request.params.matter, null),
      ),
  );

  app.post(
    '/licenses/api/today/:matter/later/',
    {
      config: withToken({ writes: NOTHING }),
      schema: {
        summary: 'Dejar un asunto para otro día',
        description: 'Vuelve a la lista el día local until, que es posterior a hoy.',
        params: todayParams,
        body: todayLater,
        response: { 200: todayMark },
      },
    },
    (request) =>
      inRequest(context, request, (scope) =>
        markToday(scope, readerOf(request), request.params.matter, request.body.until),
      ),
  );

  app.post(
    '/licenses/api/today/:matter/reopen/',
    {
      config: withToken({ writes: NOTHING }),
      schema: {
        summary: 'Devolver un asunto a la lista',
        params: todayParams,
        response: { 200: todayMark },
      },
    },
    (request) =>
      inRequest(context, request, (scope) => reopenToday(scope, readerOf(request), request.params.matter)),
  );
});
