import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { idParams } from '../../../contract/base/page.ts';
import { licenseAnswer } from '../../../contract/licenses/license-can.ts';
import type { License } from '../../../contract/licenses/licenses.ts';
import { type LicenseAction, verbOf } from '../../../contract/licenses/verbs/index.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { EventType } from '../../../contract/system/events.ts';
import type { AppContext } from '../../context.ts';
import { can } from '../../http/access.ts';
import { saveOnce } from '../../http/idempotency.ts';
import type { RoutesApp } from '../../http/routes.ts';
import type { Scope } from '../../scope.ts';
import { eventsOf } from './license-actions.ts';
import { changedWithCan } from './license-can.ts';
import { LICENSE_VERBS } from './license-verbs.ts';

export const REFUSED = 'La licencia no admite la acción (invalid_transition, not_renewable)';

/** What differs between the routes of the verbs. */
export type VerbRoute<Body extends z.ZodType> = {
  path: string;
  summary: string;
  permission: Permission;
  /** Its events. */
  writes: EventType[];
  refused?: string | undefined;
  /** What a 403 means, if more than the permission decides. */
  forbidden?: string;
  body: Body;
  /** Called before anything is changed; may throw. */
  allow?: (request: FastifyRequest, body: z.output<Body>) => void;
  run: (scope: Scope, id: number, body: z.output<Body>) => Promise<License>;
};

/** The route of a verb of the contract. */
export function verbRoute(action: LicenseAction) {
  const { permission, body: fields, example } = verbOf(action);
  const { summary, refused, run } = LICENSE_VERBS[action];
  const body = fields.meta({ examples: [example] });
  return {
    path: action,
    summary,
    permission,
    writes: eventsOf(action),
    refused,
    body,
    // The cast is safe: the route checks the body of this verb, so the function gets its own fields.
    run: run as VerbRoute<typeof body>['run'],
  };
}

/** Adds the route of a verb: it takes Idempotency-Key and If-Match, and answers with the licence (LIFE-05). */
export function addVerbRoute<Body extends z.ZodType>(
  app: RoutesApp,
  context: AppContext,
  { path, summary, permission, writes, refused = REFUSED, forbidden, body, allow, run }: VerbRoute<Body>,
): void {
  const errors: Record<number, string | true> = { 409: refused, 412: true };
  if (forbidden !== undefined) errors[403] = forbidden;
  app.post(
    `/licenses/api/licenses/:id(^\\d+$)/${path}/`,
    {
      config: can(permission, { writes, once: true, errors }),
      schema: { summary, params: idParams, body, response: { 200: licenseAnswer } },
    },
    (request, reply) => {
      const sent = request.body as z.output<Body>;
      const { id } = request.params as z.output<typeof idParams>;
      allow?.(request, sent);
      return changedWithCan(
        context,
        request,
        saveOnce(context, request, reply, (scope) => run(scope, id, sent)),
      );
    },
  );
}
