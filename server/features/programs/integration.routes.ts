import { idParams } from '../../../contract/base/page.ts';
import { SOFTWARE_MESSAGES } from '../../../contract/licenses/software.ts';
import { type Integration, integration } from '../../../contract/programs/integration.ts';
import { notFound } from '../../errors.ts';
import { can } from '../../http/access.ts';
import { routesOf } from '../../http/routes.ts';
import { findSoftware } from '../software/software.queries.ts';
import { listSigningKeys } from './signing/signing-keys.queries.ts';
import { toSigningKey } from './signing/signing-keys.ts';

/** The order in which programs list their keys. */
const STATES = ['current', 'next'] as const;

export const integrationRoutes = routesOf('Software', (app, context) => {
  const { db, now, config } = context;

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
      const stored = await listSigningKeys(db);
      const keys = STATES.flatMap((state) =>
        stored
          .filter((key) => key.state === state)
          .map(toSigningKey)
          .map(({ public_jwk, public_pem }) => ({ state, public_jwk, public_pem })),
      );
      return { server: config.publicUrl, software: software.code, keys };
    },
  );
});
