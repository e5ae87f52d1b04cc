import { jwkSet, signingKeyList, signingKeyRotation } from '../../../../contract/programs/license-token.ts';
import { forbidden } from '../../../errors.ts';
import { anyone, can } from '../../../http/access.ts';
import { confirmedSession, inRequest, principalOf } from '../../../http/request-scope.ts';
import { routesOf } from '../../../http/routes.ts';
import { rotateSigningKeys } from './rotate-signing-keys.ts';
import { listPublicKeys, listSigningKeys } from './signing-keys.queries.ts';
import { readPublicJwk, toSigningKey } from './signing-keys.ts';

/** A new key is published long before it signs, so a cached answer always contains the key of a new token. */
const CACHE = 'public, max-age=300';

const ROTATION_ERRORS = {
  403: 'No permitido (forbidden), o hay que confirmar la identidad (step_up_required)',
  409: 'Otra persona ya rotó la clave (conflict)',
} as const;

export const signingKeyRoutes = routesOf('Firma', (app, context) => {
  const list = async () => ({ results: (await listSigningKeys(context.db)).map(toSigningKey) });

  app.get(
    '/.well-known/jwks.json',
    {
      config: anyone({ anyOrigin: true }),
      schema: { summary: 'Ver las claves públicas de las firmas', response: { 200: jwkSet } },
    },
    async (_request, reply) => {
      reply.headers({ 'cache-control': CACHE, 'cross-origin-resource-policy': 'cross-origin' });
      return { keys: (await listPublicKeys(context.db)).map(readPublicJwk) };
    },
  );

  app.get(
    '/licenses/api/signing-keys/',
    {
      config: can('signing_keys:manage'),
      schema: { summary: 'Listar las claves de firma', response: { 200: signingKeyList } },
    },
    list,
  );

  app.post(
    '/licenses/api/signing-keys/rotate/',
    {
      config: can('signing_keys:manage', { writes: ['signing_key.rotated'], errors: ROTATION_ERRORS }),
      schema: {
        summary: 'Rotar la clave de firma',
        description:
          'La siguiente pasa a firmar y se crea otra siguiente. Con `current` solo rota si esa clave firma todavía.',
        body: signingKeyRotation,
        response: { 200: signingKeyList },
      },
    },
    async (request) => {
      // An API key has no password to confirm, and two rotations would make installed programs reject all answers.
      if (principalOf(request).kind !== 'user') throw forbidden();
      confirmedSession(request, context.now());
      await inRequest(context, request, (scope) =>
        rotateSigningKeys(scope, context.secrets, request.body.current),
      );
      return list();
    },
  );
});
