import { done } from '../../../../contract/base/errors.ts';
import {
  ACCOUNT_RESULTS,
  mfaDisable,
  mfaEnable,
  mfaSecret,
  mfaSetup,
  mfaVerify,
  recoveryCodes,
} from '../../../../contract/people/account.ts';
import { SIGN_IN_MESSAGES, signedIn } from '../../../../contract/people/auth.ts';
import { anyone, NOTHING, signedIn as signedInUser } from '../../../http/access.ts';
import { STEP_UP_403 } from '../../../http/openapi-errors.ts';
import { routesOf } from '../../../http/routes.ts';
import { personOf, visitorOf } from '../sign-in/callers.ts';
import { disableSecondFactor, enableSecondFactor, setUpSecondFactor } from './set-up-second-factor.ts';
import { verifySecondFactor } from './sign-in-challenge.ts';

const REFUSALS = {
  403: `${STEP_UP_403}, o falta activar la verificación en dos pasos (mfa_setup_required)`,
  409: 'Ya está activada, o no lo está (conflict)',
  429: true,
} as const;
const VERIFY_ERRORS = { 401: 'El código o el token no valen (invalid_code)', 429: true } as const;

/** The role and the password of a sign-in with OpenID Connect follow when it is complete (SIGN-02). */
const SECOND_STEP_WRITES = ['user.signed_in', 'user.updated', 'user.password_changed'] as const;

export const secondFactorRoutes = routesOf('Mi cuenta', (app, context) => {
  app.post(
    '/api/auth/mfa/verify/',
    {
      config: anyone({ writes: [...SECOND_STEP_WRITES, 'user.sign_in_failed'], errors: VERIFY_ERRORS }),
      schema: {
        summary: 'Terminar el inicio de sesión con un código',
        body: mfaVerify,
        response: { 200: signedIn },
      },
    },
    async (request, reply) => ({
      success: true as const,
      ...(await verifySecondFactor(context, request.body, visitorOf(request, reply))),
      message: SIGN_IN_MESSAGES.success,
    }),
  );

  app.post(
    '/api/auth/mfa/setup/',
    {
      config: signedInUser({ writes: NOTHING, errors: REFUSALS, duringMfaSetup: true }),
      schema: {
        summary: 'Preparar la verificación en dos pasos',
        body: mfaSetup,
        response: { 200: mfaSecret },
      },
    },
    (request, reply) => setUpSecondFactor(context, request.body.password, personOf(request, reply)),
  );

  app.post(
    '/api/auth/mfa/enable/',
    {
      config: signedInUser({ writes: ['user.mfa_enabled'], errors: REFUSALS, duringMfaSetup: true }),
      schema: {
        summary: 'Activar la verificación en dos pasos',
        body: mfaEnable,
        response: { 200: recoveryCodes },
      },
    },
    async (request, reply) => ({
      success: true as const,
      recovery_codes: await enableSecondFactor(context, request.body.code, personOf(request, reply)),
    }),
  );

  app.post(
    '/api/auth/mfa/disable/',
    {
      config: signedInUser({ writes: ['user.mfa_disabled'], errors: REFUSALS }),
      schema: {
        summary: 'Desactivar la verificación en dos pasos',
        body: mfaDisable,
        response: { 200: done },
      },
    },
    async (request, reply) => {
      await disableSecondFactor(context, request.body, personOf(request, reply));
      return { success: true as const, message: ACCOUNT_RESULTS.mfaDisabled };
    },
  );
});
