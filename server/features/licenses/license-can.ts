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

/** What of a licence decides. */
type Judged = TransitionState & Usable & { seat_mode: SeatMode };

type Rule = { permission: Permission; admits?: (license: Judged, moment: Moment) => boolean };

const OTHER_RULES: Record<Exclude<LicenseVerb, LicenseAction>, Rule> = {
  // Floating seats have no file (PROG-05).
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
    // Of a renewal any kind will do.
    admits: (license) => RENEWAL_KINDS.some((kind) => actionRefusal(action, license, kind) === null),
  },
]);
// fromEntries forgets which names there are.
const RULES = { ...Object.fromEntries(actionRules), ...OTHER_RULES } as Record<LicenseVerb, Rule>;

/**
 * What somebody with these permissions may do with a licence now, out of its row alone, so that it costs a list no query.
 * What only the call finds out, such as an extension that was given before, is refused then.
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

/** Adds to a licence of an answer what the caller may do with it. */
export const withCan = <License extends Judged>(
  { config, now }: AppContext,
  request: FastifyRequest,
  license: License,
): License & Can => {
  const moment = { now: now(), timeZone: config.timeZone };
  return { ...license, can: licenseCan(license, principalOf(request).permissions, moment) };
};

/**
 * A call on a licence: the current licence of its 412 says what may be done with it.
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
 * The same for a call that answers the licence. A stored answer that is repeated says what may be done now.
 * @throws what the call throws
 */
export const changedWithCan = async <License extends Judged>(
  context: AppContext,
  request: FastifyRequest,
  call: Promise<License>,
): Promise<License & Can> => withCan(context, request, await currentWithCan(context, request, call));
