import type { FastifyRequest } from 'fastify';
import { type Can, LICENSE_CAN, type LicenseVerb } from '../../../contract/licenses/license-can.ts';
import {
  actionRefusal,
  LICENSE_ACTIONS,
  type LicenseAction,
  RENEWAL_KINDS,
  TRANSITIONS,
  type TransitionState,
} from '../../../contract/licenses/license-lifecycle.ts';
import { licenseRefusal, type Usable } from '../../../contract/licenses/license-state.ts';
import type { SeatMode } from '../../../contract/licenses/seats.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { AppContext } from '../../context.ts';
import { AppError, stale } from '../../errors.ts';
import { principalOf } from '../../http/request-scope.ts';
import type { Moment } from '../../lists/filters.ts';

/** The facts about a licence that decide what is possible. */
type Judged = TransitionState & Usable & { seat_mode: SeatMode };

type Rule = { permission: Permission; admits?: (license: Judged, moment: Moment) => boolean };

const OTHER_RULES: Record<Exclude<LicenseVerb, LicenseAction>, Rule> = {
  // There are no offline files for floating seats (PROG-05).
  file: {
    permission: 'licenses:file',
    admits: (license, { now, timeZone }) =>
      license.seat_mode !== 'floating' && licenseRefusal(license, now, timeZone) === null,
  },
  update: { permission: 'licenses:write' },
  delete: { permission: 'licenses:delete' },
  resend_email: { permission: 'mails:send' },
};

const actionRules = LICENSE_ACTIONS.map((action): [LicenseAction, Rule] => [
  action,
  {
    permission: TRANSITIONS[action].permission,
    // 'renew' is possible if at least one kind of renewal is.
    admits: (license) => RENEWAL_KINDS.some((kind) => actionRefusal(action, license, kind) === null),
  },
]);
// The cast is needed because fromEntries loses the names.
const RULES = { ...Object.fromEntries(actionRules), ...OTHER_RULES } as Record<LicenseVerb, Rule>;

/**
 * The actions that somebody with these permissions can do with a licence now. It is computed from the licence's row
 * alone, so that a list needs no further query. Obstacles that need a query, such as an earlier extension, are found
 * only by the call itself.
 */
export const licenseCan = (
  license: Judged,
  permissions: ReadonlySet<Permission>,
  moment: Moment,
): LicenseVerb[] =>
  LICENSE_CAN.filter((verb) => {
    const { permission, admits } = RULES[verb];
    return permissions.has(permission) && (admits?.(license, moment) ?? true);
  });

/** Adds to a licence in an answer what the caller can do with it. */
export const withCan = <License extends Judged>(
  { config, now }: AppContext,
  request: FastifyRequest,
  license: License,
): License & Can => {
  const moment = { now: now(), timeZone: config.timeZone };
  return { ...license, can: licenseCan(license, principalOf(request).permissions, moment) };
};

/**
 * Wraps a call on a licence: in its 412, `can` is added to the current licence.
 * @throws what the call throws
 */
export async function currentWithCan<Result>(
  context: AppContext,
  request: FastifyRequest,
  call: Promise<Result>,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof AppError && error.current)) throw error;
    throw stale(withCan(context, request, error.current as Judged));
  }
}

/**
 * The answer of a call that returns the licence, with what may be done. A repeated answer says it for this moment too.
 * @throws what the call throws
 */
export const changedWithCan = async <License extends Judged>(
  context: AppContext,
  request: FastifyRequest,
  call: Promise<License>,
): Promise<License & Can> => withCan(context, request, await currentWithCan(context, request, call));
