import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import { licenseBulkPreview, licenseBulkPreviewBody } from '../../../contract/licenses/license-bulk.ts';
import {
  isAdded,
  licenseTerms,
  renewalPreview,
  seatsPreview,
} from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import { licenseSeatsPreview } from '../../../contract/licenses/verbs/add-seats.ts';
import { LICENSE_ACTIONS } from '../../../contract/licenses/verbs/index.ts';
import { licenseRenewalPreview } from '../../../contract/licenses/verbs/renew.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { inRequest } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import { paymentsOfTerms } from '../../rules/term-payments.ts';
import { previewSeats } from './add-seats.ts';
import { licenseBulk } from './license-bulk.ts';
import { listTerms, toTerm } from './license-terms.queries.ts';
import { findLicenseRow } from './licenses.queries.ts';
import { presentMonths } from './months-anchor.ts';
import { previewBulk } from './preview-bulk.ts';
import { previewRenewal } from './renew-license.ts';
import { undoRenewal } from './undo-renewal.ts';
import { addVerbRoute, REFUSED, verbRoute } from './verb-route.ts';

const ONE = '/licenses/api/licenses/:id(^\\d+$)/';

const noFields = z.object({});

export const lifecycleRoutes = routesOf('Licencias', (app, context) => {
  addPreviewRoutes(app, context);

  for (const action of LICENSE_ACTIONS) {
    // What sells may note its payment, which is done above this feature (features/sales).
    if (action !== 'renew' && action !== 'add_seats') addVerbRoute(app, context, verbRoute(action));
  }
  addVerbRoute(app, context, {
    path: 'undo_renewal',
    summary: 'Deshacer la última renovación',
    permission: 'licenses:renew',
    writes: ['license.renewal_undone', 'payment_request.cancelled'],
    refused:
      'La licencia cambió después de su última renovación, o no tiene ninguna (not_undoable); o se pagó al venderla y no se devolvió entera (has_payments)',
    body: noFields,
    run: undoRenewal,
  });
});

/** The routes that change nothing: the terms, and previews of actions. */
function addPreviewRoutes(app: RoutesApp, context: AppContext): void {
  const { db, now } = context;
  const { timeZone } = context.config;

  app.get(
    `${ONE}terms/`,
    {
      config: can('licenses:read'),
      schema: {
        summary: 'Ver los periodos de una licencia',
        params: idParams,
        response: { 200: licenseTerms },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!(await findLicenseRow(db, id, now(), timeZone))) throw notFound(LICENSE_MESSAGES.notFound);
      const terms = await listTerms(db, id);
      const ids = terms.map((term) => term.id);
      const paymentOf = await paymentsOfTerms(db, ids, now());
      return {
        results: terms.map((term) => ({ ...toTerm(term, timeZone), payment: paymentOf(term.id) })),
        months_from: presentMonths(
          terms.filter(({ kind }) => !isAdded(kind)),
          timeZone,
        ),
      };
    },
  );

  app.post(
    '/licenses/api/licenses/bulk_action/preview/',
    {
      config: can('licenses:read', { writes: NOTHING }),
      schema: {
        summary: 'Contar las licencias que admiten una acción',
        description: 'Cuántas de las elegidas admiten la acción, y por qué no las demás; no cambia nada.',
        body: licenseBulkPreviewBody,
        response: { 200: licenseBulkPreview },
      },
    },
    async ({ body: { ids, filters, action, license_type_config: type, kind, price, complimentary } }) => {
      // Without ids there are filters, because the schema requires one of them.
      const found = ids ?? (await licenseBulk.find(db, filters!, { now: now(), timeZone }));
      const hasType = type !== undefined;
      const hasPrice = hasType || price !== undefined || complimentary === true;
      return previewBulk(db, now(), [...new Set(found)], action, { hasType, hasPrice, kind });
    },
  );

  app.post(
    `${ONE}renew/preview/`,
    {
      config: can('licenses:renew', { writes: NOTHING, errors: { 409: REFUSED } }),
      schema: {
        summary: 'Calcular una renovación sin guardarla',
        params: idParams,
        body: licenseRenewalPreview,
        response: { 200: renewalPreview },
      },
    },
    (request) =>
      inRequest(context, request, (scope) => previewRenewal(scope, request.params.id, request.body)),
  );

  app.post(
    `${ONE}add_seats/preview/`,
    {
      config: can('licenses:renew', { writes: NOTHING, errors: { 409: REFUSED } }),
      schema: {
        summary: 'Calcular el precio de más lugares sin guardarlos',
        params: idParams,
        body: licenseSeatsPreview,
        response: { 200: seatsPreview },
      },
    },
    (request) => inRequest(context, request, (scope) => previewSeats(scope, request.params.id, request.body)),
  );
}
