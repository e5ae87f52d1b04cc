import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import { STATE_REFUSALS } from '../../../contract/licenses/license-state.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { usageRow, usageRows } from '../../../contract/licenses/meters.ts';
import { usageAdjustment, usageReport, usageResult } from '../../../contract/programs/usage.ts';
import { notFound } from '../../errors.ts';
import { can, licenseKey } from '../../http/access.ts';
import { inRequest, originOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import { usageOf } from '../../rules/license-meters.ts';
import { findLicenseRow } from '../licenses/licenses.queries.ts';
import { answerProgram, authorized } from '../programs/license-key-guard.ts';
import { adjustUsage } from './adjust-usage.ts';
import { reportUsage } from './report-usage.ts';
import { findMetered } from './usage.queries.ts';

const ONE = '/licenses/api/licenses/:id(^\\d+$)/usage/';

const REPORT_ERRORS = {
  403: `La clave es de otro producto (wrong_software), o la licencia no se puede usar (${STATE_REFUSALS.join(', ')})`,
  404: 'La clave no existe (license_not_found) o el equipo no está activado (not_found)',
  429: true,
} as const;

const meterParams = idParams.extend({
  code: z.string().max(100).meta({ description: 'Código del contador / Code of the meter' }),
});

export const usageRoutes = routesOf('Licencias', (app, context) => {
  const { db, now, config } = context;

  app.post(
    '/licenses/api/usage/',
    {
      config: licenseKey({ writes: ['license.usage_limit_reached'], errors: REPORT_ERRORS }),
      schema: {
        tags: ['Instalaciones'],
        summary: 'Reportar lo consumido',
        description:
          'Cada registro cuenta entero o no cuenta, y por sí solo; uno con un request_id que ya contó no cuenta otra vez.',
        body: usageReport,
        response: { 200: usageResult },
      },
    },
    (request) =>
      answerProgram(context, 'usage', request, async () => {
        const { body } = request;
        const found = await findMetered(db, body.license_key, body.machine_id);
        const license = authorized(context, request, found, found?.installation_date != null);
        return reportUsage(context, body, license, originOf(request));
      }),
  );

  app.get(
    ONE,
    {
      config: can('licenses:read'),
      schema: {
        summary: 'Ver lo consumido de una licencia',
        params: idParams,
        response: { 200: usageRows },
      },
    },
    async (request) => {
      const moment = { now: now(), timeZone: config.timeZone };
      const license = await findLicenseRow(db, request.params.id, moment.now, moment.timeZone);
      if (!license) throw notFound(LICENSE_MESSAGES.notFound);
      return { results: await usageOf(db, license, moment) };
    },
  );

  app.post(
    `${ONE}:code/adjust/`,
    {
      config: can('licenses:write', { writes: ['license.usage_adjusted'] }),
      schema: {
        summary: 'Corregir lo consumido en el periodo actual',
        params: meterParams,
        body: usageAdjustment,
        response: { 200: usageRow },
      },
    },
    (request) =>
      inRequest(context, request, (scope) =>
        adjustUsage(scope, request.params.id, request.params.code, request.body),
      ),
  );
});
