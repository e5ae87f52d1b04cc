import { LABELS } from '../../../contract/base/labels.ts';
import { idParams } from '../../../contract/base/page.ts';
import { EXPORT_COLUMNS } from '../../../contract/imports/import-fields.ts';
import { licenseAnswer, licensePage } from '../../../contract/licenses/license-can.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import {
  LICENSE_RESULTS,
  licenseBulkUpdate,
  licenseExportQuery,
  licenseState,
  licenseUpdate,
} from '../../../contract/licenses/licenses.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { inRequest } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import {
  addBulkUpdateRoute,
  addDeleteRoute,
  addListRoutes,
  addRecordRoutes,
} from '../../records/record-routes.ts';
import { changeLicense, changeLicenses } from './change-license.ts';
import { licenseRecord } from './license.record.ts';
import { changedWithCan, currentWithCan, oneWithCan, withCan } from './license-can.ts';
import { licenseList } from './license-list.ts';
import { findLicenseRow } from './licenses.queries.ts';
import { resendLicenseMail } from './send-license-mail.ts';

const ONE = '/licenses/api/licenses/:id(^\\d+$)/';

/** A cancellation, or another client, would end the open payment request (MONEY-06). */
const PAID_IN_PART =
  'El cambio anularía un cobro del que ya llegó una parte (has_payments); license y payment_request dicen cuáles';

export const licenseRoutes = routesOf('Licencias', (app, context) => {
  const { db, now } = context;
  const { timeZone } = context.config;

  addListRoutes(app, context, licenseList, {
    url: '/licenses/api/licenses/',
    config: can('licenses:read'),
    summary: 'Listar licencias',
    page: licensePage,
    shown: withCan,
    exports: {
      summary: 'Exportar licencias (CSV o Excel)',
      name: 'licencias',
      title: LABELS.licenses,
      columns: EXPORT_COLUMNS.licenses,
      query: licenseExportQuery,
    },
  });

  app.get(
    '/licenses/api/license/:id(^\\d+$)/status/',
    {
      config: can('licenses:read'),
      schema: { summary: 'Ver el estado de una licencia', params: idParams, response: { 200: licenseState } },
    },
    async (request) => {
      const found = await findLicenseRow(db, request.params.id, now(), timeZone);
      if (!found) throw notFound(LICENSE_MESSAGES.notFound);
      return licenseState.parse({ success: true, ...found });
    },
  );

  addBulkUpdateRoute(app, context, {
    url: '/licenses/api/licenses/bulk_update/',
    config: can('licenses:write', {
      writes: ['license.updated', 'payment_request.cancelled'],
      errors: { 409: PAID_IN_PART },
    }),
    summary: 'Actualizar varias licencias',
    body: licenseBulkUpdate,
    run: changeLicenses,
  });

  addOneLicenseRoutes(app, context);
});

function addOneLicenseRoutes(app: RoutesApp, context: AppContext): void {
  addRecordRoutes(app, context, licenseRecord, {
    url: ONE,
    read: { config: can('licenses:read'), summary: 'Ver una licencia', answer: licenseAnswer },
    save: {
      // Also writes the release of seats whose lease ended before the change.
      config: can('licenses:write', {
        writes: ['license.updated', 'license.started', 'installation.released', 'payment_request.cancelled'],
        once: true,
        errors: { 409: PAID_IN_PART },
      }),
      summary: 'Actualizar una licencia',
      body: licenseUpdate,
      answer: licenseAnswer,
      run: changeLicense,
    },
    shown: oneWithCan,
    refused: currentWithCan,
  });
  addDeleteRoute(app, context, licenseRecord, {
    url: ONE,
    config: can('licenses:delete', {
      writes: ['license.deleted', 'payment_request.cancelled'],
      errors: { 409: 'Tiene pagos registrados (has_payments): se puede cancelar' },
    }),
    summary: 'Eliminar una licencia',
    message: LICENSE_RESULTS.deleted,
    refused: currentWithCan,
  });

  app.post(
    '/licenses/api/licenses/:id(^\\d+$)/resend_email/',
    {
      config: can('mails:send', {
        writes: NOTHING,
        errors: { 409: 'La licencia está cancelada (invalid_transition)' },
      }),
      schema: {
        summary: 'Volver a enviar el correo de una licencia',
        params: idParams,
        response: { 200: licenseAnswer },
      },
    },
    (request) =>
      changedWithCan(
        context,
        request,
        inRequest(context, request, (scope) => resendLicenseMail(scope, request.params.id)),
      ),
  );
}
