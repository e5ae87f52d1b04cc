import { idParams } from '../../../contract/base/page.ts';
import {
  INSTALLATION_MESSAGES,
  INSTALLATION_RESULTS,
  installation,
  installationPage,
  releasedByStaff,
  releaseQuery,
  undoRelease as undoReleaseBody,
} from '../../../contract/programs/installations.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { addListRoutes } from '../../records/record-routes.ts';
import { installationList } from './installation-list.ts';
import { findInstallation } from './installations.queries.ts';
import { releaseInstallation } from './release-installation.ts';
import { sealFreed, undoRelease } from './undo-release.ts';

const ONE = '/licenses/api/installations/:id(^\\d+$)/';

export const installationRoutes = routesOf('Instalaciones', (app, context) => {
  addListRoutes(app, context, installationList, {
    url: '/licenses/api/installations/',
    config: can('licenses:read'),
    summary: 'Listar equipos activados',
    page: installationPage,
  });

  app.get(
    ONE,
    {
      config: can('licenses:read'),
      schema: { summary: 'Ver un equipo activado', params: idParams, response: { 200: installation } },
    },
    async (request) => {
      const found = await findInstallation(context.db, request.params.id, context.now());
      if (!found) throw notFound(INSTALLATION_MESSAGES.notFound);
      return found;
    },
  );

  app.delete(
    ONE,
    {
      config: can('installations:release', { writes: ['installation.released'] }),
      schema: {
        summary: 'Liberar un equipo',
        params: idParams,
        querystring: releaseQuery,
        response: { 200: releasedByStaff },
      },
    },
    async (request) => {
      const { until, freed } = await inRequest(context, request, (scope) =>
        releaseInstallation(scope, request.params.id),
      );
      return {
        success: true as const,
        message: INSTALLATION_RESULTS.deleted,
        ...(until !== null && { works_until: until }),
        ...(request.query.undo && { undo: sealFreed(context.secrets, freed) }),
      };
    },
  );

  app.post(
    '/licenses/api/installations/undo_release/',
    {
      config: can('installations:release', {
        writes: ['installation.activated'],
        errors: {
          409: 'Ya no se puede deshacer (not_undoable), o el lugar se ocupó (installation_limit; con lugares flotantes seat_free_at y Retry-After dicen cuándo queda libre uno)',
        },
      }),
      schema: {
        summary: 'Deshacer la liberación de un equipo',
        body: undoReleaseBody,
        response: { 200: installation },
      },
    },
    (request) =>
      inRequest(context, request, (scope) => undoRelease(scope, context.secrets, request.body.undo)),
  );
});
