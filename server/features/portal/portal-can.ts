import type { LicenseRow } from '../../../contract/licenses/licenses.ts';
import { hasLapsed } from '../../../contract/licenses/seats.ts';
import { PORTAL_VERBS, type PortalVerb, TICKET_VERBS } from '../../../contract/portal/portal-words.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import type { Limited } from '../../limits/throttle.ts';
import { reachedOf } from '../../limits/uses.ts';
import type { PortalSession } from '../../principal.ts';
import { type Price, payableOf } from '../payments/client-payment.ts';
import { fileRefusal } from '../programs/file-refusal.ts';
import {
  outstandingOf,
  type ReleasedSeat,
  type ReleaseRefusal,
  releaseRefusal,
} from '../programs/released-seats.ts';
import { monthRefusal } from '../programs/return-seat.ts';
import { filesOf, releasesOf, requestsOf, resendsOf } from './portal-limits.ts';
import { releasesPerMonth } from './release-by-client.ts';

/**
 * The actions that a client can do with a licence now, so that the portal offers nothing that would be refused
 * (PORTAL-04).
 */

/** The client and the session. */
export type Visitor = { clientId: number; session: PortalSession };
export type Moment = { now: Date; timeZone: string; demo: boolean };

type PortalLicense = Pick<
  LicenseRow,
  | 'id'
  | 'status'
  | 'complimentary'
  | 'expiry_date'
  | 'grace_days'
  | 'license_type'
  | 'updates_until'
  | 'activate_by'
  | 'issued_date'
  | 'expiry_days'
  | 'expiry_months'
  | 'lease_minutes'
  | 'self_release'
  | 'releases_per_month'
  | 'max_installations'
>;

type Machine = ReleasedSeat & { installation_date: string; last_heartbeat: string | null };

/**
 * Decides whether machines of some licences can be released, by the rules of their licence.
 * @returns a function that returns, for a machine: null if it could be released now, else the reason; 'gone' if it no
 * longer has a seat
 */
export async function releaseVerdicts(
  db: Db,
  licenses: PortalLicense[],
  moment: Moment,
): Promise<(license: PortalLicense, seat: Machine) => ReleaseRefusal | 'gone' | null> {
  const fixed = licenses.filter(({ lease_minutes }) => lease_minutes === null).map(({ id }) => id);
  const counters = await db
    .selectFrom('licenses')
    .select(['id', 'released_month', 'released_in_month'])
    .where((eb) => isAmong(db, eb.ref('licenses.id'), fixed))
    .execute();
  const known = new Map(counters.map((row) => [row.id, row]));
  const ends = await outstandingOf(db, fixed, moment.now);
  return (license, seat) => {
    if (license.lease_minutes !== null) return hasLapsed(license, seat, moment.now) ? 'gone' : null;
    const counted = known.get(license.id);
    if (!counted) return 'gone';
    return (
      monthRefusal(counted, releasesPerMonth(license), moment) ??
      releaseRefusal(license, seat, ends.get(license.id) ?? [], moment)
    );
  };
}

/** The licences of which at least one machine could be released now. */
async function releasable(
  db: Db,
  visitor: Visitor,
  licenses: PortalLicense[],
  moment: Moment,
): Promise<Set<number>> {
  if (licenses.length === 0) return new Set();
  const { ticket } = visitor.session;
  const byId = new Map(licenses.map((license) => [license.id, license]));
  const all = db
    .selectFrom('installations')
    .select(['license_id', 'machine_id', 'token_until', 'file_until', 'installation_date', 'last_heartbeat'])
    .where((eb) => isAmong(db, eb.ref('installations.license_id'), [...byId.keys()]));
  const rows = await (ticket === null ? all : all.where('id', '=', ticket.installationId)).execute();
  const verdictOf = await releaseVerdicts(db, licenses, moment);
  return new Set(
    rows
      .filter((seat) => verdictOf(byId.get(seat.license_id)!, seat) === null)
      .map(({ license_id }) => license_id),
  );
}

/** What a client can do with a licence now, and what paying for it would cost; null where it cannot be paid. */
export type Offered = { can: PortalVerb[]; pay: Price | null };

/** What is offered for each licence, by its id. */
export async function offeredOf(
  db: Db,
  visitor: Visitor,
  licenses: PortalLicense[],
  moment: Moment,
): Promise<Map<number, Offered>> {
  const { clientId, session } = visitor;
  const limits: Limited[] = licenses.flatMap(({ id }) => [filesOf(id), requestsOf(id), resendsOf(id)]);
  const reached = await reachedOf(db, [releasesOf(clientId), ...limits], moment.now);
  const isLeft = ({ key }: Limited) => !reached.has(key);
  const payable = session.features.pay ? await payableOf(db, licenses, moment) : new Map<number, Price>();
  const free = session.features.release ? await releasable(db, visitor, licenses, moment) : new Set<number>();
  const rules: Record<PortalVerb, (license: PortalLicense) => boolean> = {
    release: ({ id }) => free.has(id) && isLeft(releasesOf(clientId)),
    file: (license) => fileRefusal(license, moment) === null && isLeft(filesOf(license.id)),
    request: ({ id }) => isLeft(requestsOf(id)),
    resend: ({ id, status }) => status !== 'cancelled' && isLeft(resendsOf(id)),
    certificate: () => true,
    pay: (license) => payable.has(license.id),
  };
  const offered = PORTAL_VERBS.filter(
    (verb) => session.features[verb] && (session.ticket === null || TICKET_VERBS.includes(verb)),
  );
  return new Map(
    licenses.map((license) => [
      license.id,
      { can: offered.filter((verb) => rules[verb](license)), pay: payable.get(license.id) ?? null },
    ]),
  );
}
