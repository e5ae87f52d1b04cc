import { idParams } from '../../../contract/base/page.ts';
import { type Integration, integration } from '../../../contract/programs/integration.ts';
import { SOFTWARE_MESSAGES } from '../../../contract/software/software.fields.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { routesOf } from '../../http/routes.ts';
import { findSoftware } from '../software/software.queries.ts';
import { integrationOf } from './integration.ts';

export const integrationRoutes = routesOf('Software', (app, context) => {
  const { db, now } = context;

  app.get(
    '/licenses/api/software/:id(^\\d+$)/integration/',
    {
      config: can('software:read'),
      schema: {
        summary: 'Ver lo que un programa lleva dentro',
        description: 'La dirección del servidor, el código del software y las dos claves públicas.',
        params: idParams,
        response: { 200: integration },
      },
    },
    async (request): Promise<Integration> => {
      const software = await findSoftware(db, request.params.id, now());
      if (!software) throw notFound(SOFTWARE_MESSAGES.notFound);
      return integrationOf(context, software);
    },
  );
});
