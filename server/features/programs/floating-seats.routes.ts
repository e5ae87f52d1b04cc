import { idParams } from '../../../contract/base/page.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import {
  licenseSeats,
  releaseSilent as releaseSilentBody,
  seatsQuery,
  silentReleased,
} from '../../../contract/programs/floating-seats.ts';
import { INSTALLATION_RESULTS } from '../../../contract/programs/installations.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { seatsOfLicense } from './free-seats.ts';
import { releaseSilent } from './release-installation.ts';

/** What staff see of the seats of a licence and do with floating ones (CODE-02, CODE-03). */
export const floatingSeatRoutes = routesOf('Licencias', (app, context) => {
  app.get(
    '/licenses/api/licenses/:id(^\\d+$)/seats/',
    {
      config: can('licenses:read'),
      schema: {
        summary: 'Ver los lugares de una licencia como los cuenta una activación',
        params: idParams,
        querystring: seatsQuery,
        response: { 200: licenseSeats },
      },
    },
    async ({ params, query }) => {
      const seats = await seatsOfLicense(context.db, params.id, query.silent_minutes, context.now());
      if (!seats) throw notFound(LICENSE_MESSAGES.notFound);
      return seats;
    },
  );

  app.post(
    '/licenses/api/licenses/:id(^\\d+$)/release_silent/',
    {
      config: can('installations:release', {
        writes: ['installation.released'],
        errors: { 409: 'La licencia tiene lugares fijos (conflict)' },
      }),
      schema: {
        summary: 'Liberar los lugares flotantes de los equipos que callan',
        params: idParams,
        body: releaseSilentBody,
        response: { 200: silentReleased },
      },
    },
    async (request) => {
      const { released, until } = await inRequest(context, request, (scope) =>
        releaseSilent(scope, request.params.id, request.body.silent_minutes),
      );
      return {
        success: true as const,
        message: INSTALLATION_RESULTS.released(released),
        released,
        ...(until !== null && { works_until: until }),
      };
    },
  );
});
