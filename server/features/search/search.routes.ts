import { searchAnswer, searchQuery } from '../../../contract/base/search.ts';
import { withToken } from '../../http/access.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { searchRecords } from './search-records.ts';

export const searchRoutes = routesOf('Búsqueda', (app, context) => {
  const { db, now } = context;
  const { timeZone } = context.config;

  app.get(
    '/licenses/api/search/',
    {
      config: withToken(),
      schema: {
        summary: 'Buscar en todos los registros que se pueden leer',
        querystring: searchQuery,
        response: { 200: searchAnswer },
      },
    },
    (request) => {
      const { permissions } = principalOf(request);
      return searchRecords(db, permissions, request.query, { now: now(), timeZone });
    },
  );
});
