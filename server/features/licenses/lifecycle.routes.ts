import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import { licenseBulkPreview, licenseBulkPreviewBody } from '../../../contract/licenses/license-bulk.ts';
import {
  licenseCancellation,
  licenseExtension,
  licenseKeyReplacement,
  licenseReinstatement,
  licenseRenewal,
  licenseRenewalPreview,
  licenseSuspension,
  licenseTerms,
  licenseTransfer,
  renewalPreview,
} from '../../../contract/licenses/license-lifecycle.ts';
import { LICENSE_MESSAGES, type License, license } from '../../../contract/licenses/licenses.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { can, NOTHING } from '../../http/access.ts';
import { answerOnce } from '../../http/idempotency.ts';
import { inRequest } from '../../http/request-scope.ts';
import { etagOf } from '../../http/version.ts';
import type { Scope } from '../../scope.ts';
import { extendLicense } from './extend-license.ts';
import { licenseBulk } from './license-bulk.ts';
import { listTerms, toTerm } from './license-terms.queries.ts';
import { findLicenseRow } from './licenses.queries.ts';
import { previewBulk } from './preview-bulk.ts';
import { previewRenewal, renewLicense } from './renew-license.ts';
import { cancelLicense, reinstateLicense, suspendLicense } from './suspend-license.ts';
import { replaceKey, transferLicense } from './transfer-license.ts';
import { undoRenewal } from './undo-renewal.ts';

const tags = ['Licencias'];
const ONE = '/licenses/api/licenses/:id(^\\d+$)/';
const REFUSED = 'La licencia no admite la acción (invalid_transition, not_renewable)';

const noFields = z.object({});

/** What differs between the actions on a licence: a route each. */
type Action<Body extends z.ZodType> = {
  path: string;
  summary: string;
  permission: Permission;
  event: EventType;
  refused?: string;
  body: Body;
  run: (scope: Scope, id: number, body: z.output<Body>) => Promise<License>;
};

export const lifecycleRoutes =
  (context: AppContext): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, now } = context;
    const { timeZone } = context.config;

    /** An action takes Idempotency-Key and If-Match, and answers with the licence (LIFE-05). */
    function addAction<Body extends z.ZodType>(action: Action<Body>): void {
      const { path, summary, permission, event, refused = REFUSED, body, run } = action;
      app.post(
        `${ONE}${path}/`,
        {
          config: can(permission, { writes: [event], once: true, errors: { 409: refused, 412: true } }),
          schema: { tags, summary, params: idParams, body, response: { 200: license } },
        },
        (request, reply) =>
          answer(request, reply, (scope) => run(scope, idOf(request), request.body as z.output<Body>)),
      );
    }

    async function answer(
      request: FastifyRequest,
      reply: FastifyReply,
      work: (scope: Scope) => Promise<License>,
    ): Promise<License> {
      const changed = await answerOnce(context, request, reply, async (scope) => ({
        status: 200,
        body: await work(scope),
      }));
      reply.header('etag', etagOf(changed.updated_at));
      return changed;
    }

    app.get(
      `${ONE}terms/`,
      {
        config: can('licenses:read'),
        schema: {
          tags,
          summary: 'Ver los periodos de una licencia',
          params: idParams,
          response: { 200: licenseTerms },
        },
      },
      async (request) => {
        const { id } = request.params;
        if (!(await findLicenseRow(db, id, now(), timeZone))) throw notFound(LICENSE_MESSAGES.notFound);
        return { results: (await listTerms(db, id)).map(toTerm) };
      },
    );

    app.post(
      '/licenses/api/licenses/bulk_action/preview/',
      {
        config: can('licenses:read', { writes: NOTHING }),
        schema: {
          tags,
          summary: 'Contar las licencias que admiten una acción',
          description: 'Cuántas de las elegidas admiten la acción, y por qué no las demás; no cambia nada.',
          body: licenseBulkPreviewBody,
          response: { 200: licenseBulkPreview },
        },
      },
      async ({ body: { ids, filters, action, license_type_config: type } }) => {
        // Without ids there are filters: the schema asks for one of both.
        const found = ids ?? (await licenseBulk.find(db, filters!, { now: now(), timeZone }));
        return previewBulk(db, [...new Set(found)], action, type !== undefined);
      },
    );

    app.post(
      `${ONE}renew/preview/`,
      {
        config: can('licenses:renew', { writes: NOTHING, errors: { 409: REFUSED } }),
        schema: {
          tags,
          summary: 'Calcular una renovación sin guardarla',
          params: idParams,
          body: licenseRenewalPreview,
          response: { 200: renewalPreview },
        },
      },
      (request) =>
        inRequest(context, request, (scope) => previewRenewal(scope, request.params.id, request.body)),
    );

    addAction({
      path: 'renew',
      summary: 'Renovar una licencia',
      permission: 'licenses:renew',
      event: 'license.renewed',
      body: licenseRenewal,
      run: renewLicense,
    });
    addAction({
      path: 'undo_renewal',
      summary: 'Deshacer la última renovación',
      permission: 'licenses:renew',
      event: 'license.renewal_undone',
      refused: 'La licencia cambió después de su última renovación, o no tiene ninguna (not_undoable)',
      body: noFields,
      run: undoRenewal,
    });
    addAction({
      path: 'extend',
      summary: 'Dar una prórroga',
      permission: 'licenses:renew',
      event: 'license.extended',
      refused: 'La licencia no admite la acción (invalid_transition, not_renewable, already_extended)',
      body: licenseExtension,
      run: extendLicense,
    });
    addAction({
      path: 'suspend',
      summary: 'Suspender una licencia',
      permission: 'licenses:suspend',
      event: 'license.suspended',
      body: licenseSuspension,
      run: suspendLicense,
    });
    addAction({
      path: 'reinstate',
      summary: 'Reactivar una licencia suspendida',
      permission: 'licenses:suspend',
      event: 'license.reinstated',
      body: licenseReinstatement,
      run: reinstateLicense,
    });
    addAction({
      path: 'cancel',
      summary: 'Cancelar una licencia',
      permission: 'licenses:write',
      event: 'license.cancelled',
      body: licenseCancellation,
      run: cancelLicense,
    });
    addAction({
      path: 'transfer',
      summary: 'Transferir una licencia a otro cliente',
      permission: 'licenses:write',
      event: 'license.transferred',
      body: licenseTransfer,
      run: transferLicense,
    });
    addAction({
      path: 'replace_key',
      summary: 'Cambiar la clave de una licencia',
      permission: 'licenses:write',
      event: 'license.key_replaced',
      body: licenseKeyReplacement,
      run: replaceKey,
    });
  };

const idOf = (request: FastifyRequest) => (request.params as z.output<typeof idParams>).id;
