import { done } from '../../../../contract/base/errors.ts';
import { idParams } from '../../../../contract/base/page.ts';
import { SIGN_IN_MESSAGES, signedIn } from '../../../../contract/people/auth.ts';
import {
  PASSKEY_RESULTS,
  passkey,
  passkeyCreate,
  passkeyList,
  passkeyOptions,
  passkeyProof,
  passkeySignInOptions,
  passkeyUpdate,
} from '../../../../contract/people/passkeys.ts';
import { anyone, NOTHING, signedIn as signedInUser } from '../../../http/access.ts';
import { createOnce } from '../../../http/idempotency.ts';
import { ONLY_OIDC } from '../../../http/openapi-errors.ts';
import { confirmedSession, inRequest, sessionOf } from '../../../http/request-scope.ts';
import { routesOf } from '../../../http/routes.ts';
import { visitorOf } from '../sign-in/callers.ts';
import {
  addPasskey,
  checkNewPasskey,
  optionsForNewPasskey,
  removePasskey,
  renamePasskey,
} from './own-passkeys.ts';
import { passkeysOf } from './passkeys.queries.ts';
import { optionsForSignIn, signInWithPasskey } from './prove-by-passkey.ts';
import { requireRelyingParty } from './relying-party.ts';

const PASSKEYS = '/api/auth/passkeys/';
const ONE = `${PASSKEYS}:id(^\\d+$)/`;
const STEP_UP = {
  403: 'No es una persona (forbidden), falta activar la verificación en dos pasos (mfa_setup_required), o hay que confirmar la identidad (step_up_required)',
};
const NOT_OFFERED = { 409: 'Aquí no se ofrecen llaves de acceso (conflict)' };
const FULL = { 409: 'Aquí no se ofrecen llaves de acceso, o ya hay 20 (conflict)' };
const TAKEN = { 409: 'Aquí no se ofrecen llaves de acceso, ya hay 20, o ya está registrada (conflict)' };
const SIGN_IN_ERRORS = {
  ...NOT_OFFERED,
  401: 'La respuesta o el token no valen (invalid_code)',
  403: `Usuario inactivo (user_inactive), o ${ONLY_OIDC}`,
  429: true,
} as const;

export const passkeyRoutes = routesOf('Mi cuenta', (app, context) => {
  app.post(
    `${PASSKEYS}sign-in/options/`,
    {
      config: anyone({ writes: NOTHING, errors: { ...NOT_OFFERED, 403: `Aquí ${ONLY_OIDC}` } }),
      schema: {
        tags: ['Autenticación'],
        summary: 'Empezar a iniciar sesión con una llave de acceso',
        response: { 200: passkeySignInOptions },
      },
    },
    () => optionsForSignIn(context),
  );

  app.post(
    `${PASSKEYS}sign-in/`,
    {
      config: anyone({ writes: ['user.signed_in', 'user.sign_in_failed'], errors: SIGN_IN_ERRORS }),
      schema: {
        tags: ['Autenticación'],
        summary: 'Iniciar sesión con una llave de acceso',
        body: passkeyProof,
        response: { 200: signedIn },
      },
    },
    async (request, reply) => ({
      success: true as const,
      ...(await signInWithPasskey(context, request.body, visitorOf(request, reply))),
      message: SIGN_IN_MESSAGES.success,
    }),
  );

  app.get(
    PASSKEYS,
    {
      config: signedInUser({ errors: NOT_OFFERED }),
      schema: { summary: 'Listar las llaves de acceso propias', response: { 200: passkeyList } },
    },
    async (request) => {
      requireRelyingParty(context.config);
      return { results: await passkeysOf(context.db, sessionOf(request).userId) };
    },
  );

  app.post(
    `${PASSKEYS}options/`,
    {
      config: signedInUser({ writes: NOTHING, errors: { ...STEP_UP, ...FULL } }),
      schema: { summary: 'Empezar a añadir una llave de acceso', response: { 200: passkeyOptions } },
    },
    (request) => optionsForNewPasskey(context, confirmedSession(request, context.now())),
  );

  app.post(
    PASSKEYS,
    {
      config: signedInUser({ writes: ['user.passkey_added'], once: true, errors: TAKEN }),
      schema: { summary: 'Añadir una llave de acceso', body: passkeyCreate, response: { 201: passkey } },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const { response, name } = request.body;
      const checked = await checkNewPasskey(context, response, session);
      return createOnce(context, request, reply, (scope) => addPasskey(scope, session.userId, checked, name));
    },
  );

  app.patch(
    ONE,
    {
      config: signedInUser({ writes: ['user.updated'], errors: NOT_OFFERED }),
      schema: {
        summary: 'Cambiar el nombre de una llave de acceso propia',
        params: idParams,
        body: passkeyUpdate,
        response: { 200: passkey },
      },
    },
    async (request) => {
      requireRelyingParty(context.config);
      const { userId } = sessionOf(request);
      return inRequest(context, request, (scope) =>
        renamePasskey(scope, { id: request.params.id, userId }, request.body.name),
      );
    },
  );

  app.delete(
    ONE,
    {
      config: signedInUser({
        writes: ['user.passkey_removed'],
        errors: { ...STEP_UP, ...NOT_OFFERED },
      }),
      schema: { summary: 'Eliminar una llave de acceso propia', params: idParams, response: { 200: done } },
    },
    async (request) => {
      const session = confirmedSession(request, context.now());
      requireRelyingParty(context.config);
      await inRequest(context, request, (scope) => removePasskey(scope, request.params.id, session));
      return { success: true as const, message: PASSKEY_RESULTS.removed };
    },
  );
});
