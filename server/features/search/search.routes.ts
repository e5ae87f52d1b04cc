import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { searchAnswer, searchQuery } from '../../../contract/base/search.ts';
import type { AppContext } from '../../context.ts';
import { withToken } from '../../http/access.ts';
import { principalOf } from '../../http/request-scope.ts';
import { searchRecords } from './search-records.ts';

export const searchRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now } = context;
    const { timeZone } = context.config;

    app.get(
      '/licenses/api/search/',
      {
        config: withToken(),
        schema: {
          tags: ['Búsqueda'],
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
  };
