import { tagsInUse, tagsQuery } from '../../../contract/tags/tags.ts';
import { forbidden } from '../../errors.ts';
import { withToken } from '../../http/access.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { tagsOn } from './tags.queries.ts';

export const tagRoutes = routesOf('Etiquetas', (app, { db }) => {
  app.get(
    '/licenses/api/tags/',
    {
      config: withToken(),
      schema: {
        summary: 'Listar las etiquetas en uso',
        description:
          'De los clientes o de las licencias, las más usadas primero; hasta 500. Con el permiso de leer esos registros.',
        querystring: tagsQuery,
        response: { 200: tagsInUse },
      },
    },
    async (request) => {
      const { on } = request.query;
      if (!principalOf(request).permissions.has(`${on}:read`)) throw forbidden();
      return { results: await tagsOn(db, on) };
    },
  );
});
