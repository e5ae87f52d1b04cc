import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import { license } from '../../../contract/licenses/licenses.ts';
import { KIT_MESSAGES, kitQuery } from '../../../contract/programs/developer-kit.ts';
import { SOFTWARE_MESSAGES } from '../../../contract/software/software.fields.ts';
import { fault, forbidden, invalid, notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { maySeeKeys } from '../../http/mask-keys.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { mustExist } from '../../lib/must-exist.ts';
import { zipOf } from '../../lib/zip.ts';
import { findLicense } from '../licenses/licenses.queries.ts';
import { integrationOf } from '../programs/integration.ts';
import { findSoftware } from '../software/software.queries.ts';
import { trialFor } from './issue-trial.ts';
import { kitFiles, kitName } from './kit-files.ts';

/** Bytes, sent unchanged. */
const ZIP = z.unknown().meta({ type: 'string', format: 'binary' });

const ONE = '/licenses/api/software/:id(^\\d+$)/';

/** What the vendor gives to the developer of a program: a trial key, and a ZIP file with everything else. */
export const developerKitRoutes = routesOf('Software', (app, context) => {
  const { db, now, config } = context;
  const { timeZone, sdkLibraries: libraries } = config;

  app.post(
    `${ONE}trial_license/`,
    {
      config: can('licenses:write', { writes: ['license.issued', 'client.created'] }),
      schema: {
        summary: 'Dar una clave de prueba para quien programa el software',
        description:
          'Una licencia de prueba de 30 días a nombre de la propia empresa, sin correo a nadie. Si hay una que todavía vale y tiene lugar, es esa (200); si no, se emite (201).',
        params: idParams,
        response: { 200: license, 201: license },
      },
    },
    async (request, reply) => {
      const { license: id, isNew } = await inRequest(context, request, (scope) =>
        trialFor(scope, request.params.id),
      );
      const found = mustExist(await findLicense(db, id, now(), timeZone), `license ${id}`);
      return reply.code(isNew ? 201 : 200).send(found);
    },
  );

  app.get(
    `${ONE}developer_kit/`,
    {
      config: can('software:read', {
        errors: { 403: 'Sin permiso, o con license sin licenses:read (forbidden)' },
      }),
      schema: {
        summary: 'Descargar lo que necesita quien programa el software (ZIP)',
        description:
          'El SDK de cada lenguaje, su ejemplo con los datos de este software, las claves públicas, las instrucciones y, para C, C++, Delphi, Visual FoxPro y Visual Basic, la biblioteca compartida. Con license, también la clave de una prueba de este software.',
        params: idParams,
        querystring: kitQuery,
        response: { 200: { content: { 'application/zip': { schema: ZIP } } } },
      },
    },
    async (request, reply) => {
      const { languages, license: asked } = request.query;
      if (asked !== undefined && !maySeeKeys(request)) throw forbidden();
      const software = await findSoftware(db, request.params.id, now());
      if (!software) throw notFound(SOFTWARE_MESSAGES.notFound);
      const trial = asked === undefined ? null : await findLicense(db, asked, now(), timeZone);
      if (trial === undefined || (trial && (trial.software.id !== software.id || trial.status !== 'trial'))) {
        throw invalid({ license: [fault('not_allowed', KIT_MESSAGES.license)] });
      }
      const kit = {
        software,
        integration: await integrationOf(context, software),
        languages,
        trial,
        timeZone,
        libraries,
      };
      reply.header('content-disposition', `attachment; filename="${kitName(kit)}.zip"`);
      return reply.type('application/zip').send(await zipOf(await kitFiles(kit), now()));
    },
  );
});
