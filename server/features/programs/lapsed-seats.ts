import { type Expression, type SqlBool, sql } from 'kysely';
import { leaseStart, SEAT_MESSAGES } from '../../../contract/licenses/seats.ts';
import { isAmong, lockRowsOf } from '../../db/dialect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import { record } from '../../records/record-event.ts';
import { type Scope, SYSTEM } from '../../scope.ts';
import { aboutInstallation } from './about-installation.ts';
import { countSeat } from './count-seat.ts';
import type { Stamp } from './installations.queries.ts';
import { signalDay } from './last-signals.ts';
import { LEFT, latestEnd, storeReleasedSeats } from './released-seats.ts';

/**
 * Floating seats whose lease has ended (PROG-05). Such a seat counts as free at once; its row stays until an
 * activation needs the seat, or until lapsed-seats-job.ts deletes it.
 */

/** A licence with floating seats. */
type FloatingLicense = { id: number; lease_minutes: number };

/** When a program last called: its last heartbeat, else its activation. */
export const lastSignalAt = sql<string>`coalesce(installations.last_heartbeat, installations.installation_date)`;

/** Seats whose lease, of this many minutes, has ended. */
export const hasLapsedUnder = (leaseMinutes: number, now: Date): Expression<SqlBool> =>
  sql<SqlBool>`${lastSignalAt} < ${leaseStart(leaseMinutes, now)}`;

const countLapsedOf = prepared((db, { id, since }: { id: number; since: string }) =>
  db
    .selectFrom('installations')
    .where('license_id', '=', id)
    .where(sql<SqlBool>`${lastSignalAt} < ${since}`)
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

/** The number of seats of a licence that are still counted although their lease has ended. */
export async function countLapsed(
  db: Db,
  { id, lease_minutes }: FloatingLicense,
  now: Date,
): Promise<number> {
  const [row] = await countLapsedOf(db, { id, since: leaseStart(lease_minutes, now) });
  return row!.n;
}

type SeatHeartbeat = Stamp & { id: number; since: string };

const renewLease = prepared(
  (db, { id, since, at, day, tokenUntil, ipAddress, appVersion, os }: SeatHeartbeat & { day: string }) =>
    db
      .updateTable('installations')
      .set({
        last_heartbeat: at,
        heard_on: day,
        token_until: latestEnd(tokenUntil),
        ip_address: ipAddress,
        app_version: appVersion,
        os,
      })
      .where('id', '=', id)
      .where(sql<SqlBool>`${lastSignalAt} >= ${since}`)
      .returning('id'),
);

/**
 * Stores a heartbeat of a floating seat if its lease has not ended. A single statement checks and writes, so that the
 * seat cannot be given to another machine in between.
 * @returns whether the seat is valid
 */
export async function renewSeatLease(db: Db, seat: SeatHeartbeat): Promise<boolean> {
  return (await renewLease(db, { ...seat, day: signalDay(seat.at) })).length > 0;
}

/**
 * Releases seats of a locked licence whose lease has ended, with one event of the system for each. The seats whose
 * machines have been silent longest come first.
 * @param upTo the most seats to release; without it, all
 * @param own the id of a seat that comes first, even if its lease has not ended
 * @returns how many were released
 */
export async function releaseLapsed(
  scope: Scope,
  { id, lease_minutes }: FloatingLicense,
  { upTo, own = 0 }: { upTo?: number; own?: number } = {},
): Promise<number> {
  const { tx, now, origin } = scope;
  let query = seatsOf(tx, id)
    .where((eb) => eb.or([eb('installations.id', '=', own), hasLapsedUnder(lease_minutes, now)]))
    .orderBy((eb) => eb('installations.id', '!=', own))
    .orderBy(lastSignalAt)
    .orderBy('installations.id');
  if (upTo !== undefined) query = query.limit(upTo);
  // The caller did not cause the release, so the event has neither the caller as actor nor the caller's IP address.
  const bySystem = { ...scope, actor: SYSTEM, origin: { ...origin, ip: null } };
  return (await releaseRows(bySystem, { id, lease_minutes }, query, SEAT_MESSAGES.lapsed)).released;
}

/**
 * Releases the floating seats of a locked licence whose machines sent no signal for more than some minutes, because staff
 * decided it: they are free at once.
 * @returns how many, and until when one of their programs can still work
 */
export const releaseUnheard = (scope: Scope, lender: FloatingLicense, minutes: number): Promise<Released> =>
  releaseRows(
    scope,
    lender,
    seatsOf(scope.tx, lender.id)
      .where(hasLapsedUnder(minutes, scope.now))
      .orderBy(lastSignalAt)
      .orderBy('installations.id'),
    SEAT_MESSAGES.silent,
    { byStaff: true },
  );

type Released = { released: number; until: string | null };

const seatsOf = (tx: Db, id: number) =>
  tx
    .selectFrom('installations')
    .innerJoin('licenses', 'licenses.id', 'installations.license_id')
    .innerJoin('clients', 'clients.id', 'licenses.client_id')
    .where('installations.license_id', '=', id)
    .select([
      'installations.id',
      'installations.machine_name',
      'licenses.license_key',
      'licenses.client_id',
      'licenses.software_id',
      'clients.name as client_name',
    ]);

async function releaseRows(
  scope: Scope,
  { id, lease_minutes }: FloatingLicense,
  query: ReturnType<typeof seatsOf>,
  reason: string,
  by: { byStaff?: boolean } = {},
): Promise<Released> {
  const { tx } = scope;
  // The rows are locked: a heartbeat before this keeps its seat, and a heartbeat after it finds no seat.
  const seats = await lockRowsOf(tx, query, 'installations').execute();
  if (seats.length === 0) return { released: 0, until: null };
  for (const seat of seats) {
    await record(scope, {
      type: 'installation.released',
      ...aboutInstallation(seat, { ...seat, id }),
      reason,
    });
  }
  const ids = seats.map((seat) => seat.id);
  const left = await tx
    .deleteFrom('installations')
    .where((eb) => isAmong(tx, eb.ref('id'), ids))
    .returning(LEFT)
    .execute();
  const until = await storeReleasedSeats(scope, { id, lease_minutes }, left, by);
  await countSeat(tx, id, -seats.length);
  return { released: seats.length, until };
}
