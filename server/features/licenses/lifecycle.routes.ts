import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import { licenseBulkPreview, licenseBulkPreviewBody } from '../../../contract/licenses/license-bulk.ts';
import { licenseAnswer } from '../../../contract/licenses/license-can.ts';
import { licenseTerms, renewalPreview } from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES } from '../../../contract/licenses/licenses.fields.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { LICENSE_ACTIONS, verbOf } from '../../../contract/licenses/verbs/index.ts';
import { licenseRenewalPreview } from '../../../contract/licenses/verbs/renew.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { saveOnce } from '../../http/idempotency.ts';
import { inRequest } from '../../http/request-scope.ts';
import { type RoutesApp, routesOf } from '../../http/routes.ts';
import type { Scope } from '../../scope.ts';
import { eventsOf } from './license-actions.ts';
import { licenseBulk } from './license-bulk.ts';
import { changedWithCan } from './license-can.ts';
import { listTerms, toTerm } from './license-terms.queries.ts';
import { LICENSE_VERBS } from './license-verbs.ts';
import { findLicenseRow } from './licenses.queries.ts';
import { previewBulk } from './preview-bulk.ts';
import { previewRenewal } from './renew-license.ts';
import { undoRenewal } from './undo-renewal.ts';

const ONE = '/licenses/api/licenses/:id(^\\d+$)/';
const REFUSED = 'La licencia no admite la acción (invalid_transition, not_renewable)';

const noFields = z.object({});

/** What differs between the routes of the verbs. */
type Route<Body extends z.ZodType> = {
  path: string;
  summary: string;
  permission: Permission;
  /** Its events. */
  writes: EventType[];
  refused?: string | undefined;
  body: Body;
  run: (scope: Scope, id: number, body: z.output<Body>) => Promise<License>;
};

export const lifecycleRoutes = routesOf('Licencias', (app, context) => {
  /** A verb takes Idempotency-Key and If-Match, and answers with the licence (LIFE-05). */
  function addVerb<Body extends z.ZodType>(route: Route<Body>): void {
    const { path, summary, permission, writes, refused = REFUSED, body, run } = route;
    app.post(
      `${ONE}${path}/`,
      {
        config: can(permission, { writes, once: true, errors: { 409: refused, 412: true } }),
        schema: { summary, params: idParams, body, response: { 200: licenseAnswer } },
      },
      (request, reply) =>
        changedWithCan(
          context,
          request,
          saveOnce(context, request, reply, (scope) =>
            run(scope, idOf(request), request.body as z.output<Body>),
          ),
        ),
    );
  }

  addPreviewRoutes(app, context);

  for (const action of LICENSE_ACTIONS) {
    const { permission, body: fields, example } = verbOf(action);
    const { summary, refused, run } = LICENSE_VERBS[action];
    const body = fields.meta({ examples: [example] });
    // The cast is safe: the route checks the body of this verb, so the function gets its own fields.
    const verb = { body, run: run as Route<typeof body>['run'] };
    addVerb({ path: action, summary, permission, writes: eventsOf(action), refused, ...verb });
  }
  addVerb({
    path: 'undo_renewal',
    summary: 'Deshacer la última renovación',
    permission: 'licenses:renew',
    writes: ['license.renewal_undone'],
    refused: 'La licencia cambió después de su última renovación, o no tiene ninguna (not_undoable)',
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
      return { results: (await listTerms(db, id)).map((term) => toTerm(term, timeZone)) };
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
      return previewBulk(db, [...new Set(found)], action, { hasType, hasPrice, kind });
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
}

const idOf = (request: FastifyRequest) => (request.params as z.output<typeof idParams>).id;
