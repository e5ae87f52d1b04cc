import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import {
  CERTIFICATE_MESSAGES,
  certificate,
  certificateCheck,
} from '../../../contract/licenses/certificate.ts';
import { notFound } from '../../errors.ts';
import { anyone, can, NOTHING } from '../../http/access.ts';
import { addressLimits } from '../../http/address-limits.ts';
import { inRequest } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { countFailures, type Limit } from '../../limits/throttle.ts';
import { certificateOf, checkCertificate } from './license-certificate.ts';

/** Limits unknown codes from one address. Known codes are not counted, because an office may check many. */
const UNKNOWN_CODE_LIMIT: Limit = { failures: 20, windowMs: 10 * 60_000 };

export const certificateRoutes = routesOf('Licencias', (app, context) => {
  app.post(
    '/licenses/api/licenses/:id(^\\d+$)/certificate/',
    {
      // Making a code does not change the licence, so no event is written.
      config: can('licenses:read', { writes: NOTHING }),
      schema: {
        summary: 'Dar el código de la constancia de una licencia',
        params: idParams,
        response: { 200: certificate },
      },
    },
    (request) =>
      inRequest(context, request, (scope) =>
        certificateOf(scope, request.params.id, context.config.publicUrl),
      ),
  );

  app.get(
    '/licenses/api/verify/:code/',
    {
      config: anyone({
        onPortalHost: true,
        errors: { 404: 'Ninguna constancia tiene este código (not_found)', 429: true },
      }),
      schema: {
        summary: 'Comprobar una constancia por su código',
        params: z.object({ code: z.string() }),
        response: { 200: certificateCheck },
      },
    },
    async (request) => {
      const found = await checkCertificate(context, request.params.code);
      if (found) return found;
      const limits = addressLimits('verify', request.ip, UNKNOWN_CODE_LIMIT);
      await countFailures(context.db, limits, context.now());
      throw notFound(CERTIFICATE_MESSAGES.notFound);
    },
  );
});
