import type { FastifyRequest } from 'fastify';
import { isExpired } from '../../../contract/base/time.ts';
import { type Can, LICENSE_CAN, type LicenseVerb } from '../../../contract/licenses/license-can.ts';
import { type LicenseState, RENEWAL_KINDS } from '../../../contract/licenses/verbs/definition.ts';
import {
  actionRefusal,
  LICENSE_ACTIONS,
  type LicenseAction,
  VERBS,
  verbOf,
} from '../../../contract/licenses/verbs/index.ts';
import type { Permission } from '../../../contract/people/permissions.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { AppError, stale } from '../../errors.ts';
import { principalOf } from '../../http/request-scope.ts';
import { mustExist } from '../../lib/must-exist.ts';
import type { Moment } from '../../lists/filters.ts';
import { paidAmong } from '../../rules/paid-licenses.ts';
import { fileRefusal } from '../programs/file-refusal.ts';
import { extendedAmong } from './license-terms.queries.ts';

/** The facts about a licence that decide what is possible. */
type LicenseFacts = LicenseState & Parameters<typeof fileRefusal>[0] & { is_paid: boolean };
/** A licence in an answer. It lacks the facts that its terms and payments have. */
type Answered = Omit<LicenseFacts, 'is_extended' | 'is_expired' | 'is_paid'> & { id: number };

type Rule = { permission: Permission; allows?: (license: LicenseFacts, moment: Moment) => boolean };

const OTHER_RULES: Record<Exclude<LicenseVerb, LicenseAction>, Rule> = {
  file: {
    permission: 'licenses:file',
    allows: (license, moment) => fileRefusal(license, moment) === null,
  },
  update: { permission: 'licenses:write' },
  delete: { permission: 'licenses:delete', allows: ({ is_paid }) => !is_paid },
  resend_email: { permission: 'mails:send', allows: ({ status }) => status !== 'cancelled' },
};

const actionRules = LICENSE_ACTIONS.map((action): [LicenseAction, Rule] => [
  action,
  {
    permission: VERBS[action].permission,
    // 'renew' is possible if at least one kind of renewal is.
    allows: (license) => RENEWAL_KINDS.some((kind) => actionRefusal(action, license, kind) === null),
  },
]);
// The cast is needed because fromEntries loses the names.
const RULES = { ...Object.fromEntries(actionRules), ...OTHER_RULES } as Record<LicenseVerb, Rule>;

const verbsOf = (
  license: LicenseFacts,
  permissions: ReadonlySet<Permission>,
  moment: Moment,
): LicenseVerb[] =>
  LICENSE_CAN.filter((verb) => {
    const { permission, allows } = RULES[verb];
    return permissions.has(permission) && (allows?.(license, moment) ?? true);
  });

/** The permissions of the verbs whose guard asks the terms. */
const TERM_PERMISSIONS = LICENSE_ACTIONS.filter((action) => verbOf(action).asksTerm).map(
  (action) => VERBS[action].permission,
);

/**
 * Adds to licences what somebody with these permissions can do with each now, by the same guards as the calls. The
 * terms of all are read by one query, and their payments by another, each only for somebody with the permission of a verb
 * that asks them.
 */
export async function withVerbs<License extends Answered>(
  db: Db,
  licenses: readonly License[],
  permissions: ReadonlySet<Permission>,
  moment: Moment,
): Promise<(License & Can)[]> {
  const asksTerms = TERM_PERMISSIONS.some((permission) => permissions.has(permission));
  const ids = licenses.map(({ id }) => id);
  const extended = await extendedAmong(db, asksTerms ? ids : []);
  const paid = await paidAmong(db, permissions.has(OTHER_RULES.delete.permission) ? ids : []);
  return licenses.map((license) => {
    const { id, expiry_date } = license;
    const facts = {
      ...license,
      is_extended: extended.has(id),
      // A stored answer may have said it at another moment.
      is_expired: isExpired(expiry_date, moment.now),
      is_paid: paid.has(id),
    };
    return { ...license, can: verbsOf(facts, permissions, moment) };
  });
}

/** Adds to the licences in an answer what the caller can do with each. */
export const withCan = <License extends Answered>(
  { config, db, now }: AppContext,
  request: FastifyRequest,
  licenses: readonly License[],
): Promise<(License & Can)[]> =>
  withVerbs(db, licenses, principalOf(request).permissions, { now: now(), timeZone: config.timeZone });

/** Adds it to one licence. */
export async function oneWithCan<License extends Answered>(
  context: AppContext,
  request: FastifyRequest,
  license: License,
): Promise<License & Can> {
  const [shown] = await withCan(context, request, [license]);
  return mustExist(shown, `license ${license.id}`);
}

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
    throw stale(await oneWithCan(context, request, error.current as Answered));
  }
}

/**
 * The answer of a call that returns the licence, with what may be done. A repeated answer says it for this moment too.
 * @throws what the call throws
 */
export const changedWithCan = async <License extends Answered>(
  context: AppContext,
  request: FastifyRequest,
  call: Promise<License>,
): Promise<License & Can> => oneWithCan(context, request, await currentWithCan(context, request, call));
