import { idParams } from '../../../../contract/base/page.ts';
import { LICENSE_MESSAGES } from '../../../../contract/licenses/licenses.fields.ts';
import { checkAnswer, checkList, checkQuery } from '../../../../contract/programs/checks.ts';
import { notFound } from '../../../errors.ts';
import { can } from '../../../http/access.ts';
import { routesOf } from '../../../http/routes.ts';
import { listChecksOfClient, listChecksOfLicense, listUnknownChecks } from './checks.queries.ts';
import { storeCollectedChecks } from './collect-checks.ts';

/** 'Actividad': the calls of installed programs and their answers (SELL-07). */
export const checkRoutes = routesOf('Licencias', (app, context) => {
  const { db, now } = context;
  // Stores the checks that are still in memory when the server stops regularly.
  app.addHook('onClose', () => storeCollectedChecks(context).catch(() => {}));

  app.get(
    '/licenses/api/licenses/:id(^\\d+$)/checks/',
    {
      config: can('licenses:read'),
      schema: {
        summary: 'Ver las consultas de los programas de una licencia',
        description:
          'Las de los últimos 30 días, hasta 100, primero las últimas. Aparecen a más tardar 10 segundos después.',
        params: idParams,
        response: { 200: checkList },
      },
    },
    async (request) => {
      const { id } = request.params;
      const license = await db.selectFrom('licenses').select('id').where('id', '=', id).executeTakeFirst();
      if (!license) throw notFound(LICENSE_MESSAGES.notFound);
      return { results: await listChecksOfLicense(db, id, now()) };
    },
  );

  app.get(
    '/licenses/api/checks/',
    {
      config: can('licenses:read'),
      schema: {
        summary: 'Ver las consultas de los programas de un cliente, o con una clave que no existe',
        description:
          'Con client, las de sus licencias. Con license_key, las de claves que ninguna licencia tiene: de lo que se escribió se guarda solo una huella.',
        querystring: checkQuery,
        response: { 200: checkAnswer },
      },
    },
    async ({ query: { client, license_key } }) => ({
      results:
        client === undefined
          ? // The schema requires one of the two.
            await listUnknownChecks(context, license_key!)
          : await listChecksOfClient(db, client, now()),
    }),
  );
});
