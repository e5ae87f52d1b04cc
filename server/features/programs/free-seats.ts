import { type SqlBool, sql } from 'kysely';
import { leaseStart, leaseUntil } from '../../../contract/licenses/seats.ts';
import { type LicenseSeats, silentMinutes } from '../../../contract/programs/floating-seats.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../scope.ts';
import { hasLapsedUnder, lastSignalAt, releaseLapsed } from './lapsed-seats.ts';
import { outstanding, withoutSeat } from './released-seats.ts';

/**
 * How many floating seats of a licence are free, and when the next one will be (CODE-02, CODE-03). A machine without a
 * seat may work until its last token ends. With a lease up to an hour as many such machines as the licence has seats do
 * not count, and each further one counts as a taken seat; with a longer lease each counts. So at most twice the seats
 * work at once, or as many as there are seats (docs/decisions/164-released-floating-seats.md).
 */

/** Up to this length of lease some machines without a seat do not count. */
const SHORT_LEASE_MINUTES = 60;
const SECOND_MS = 1000;
/** An id that no machine has, because activation requires one. */
export const NO_MACHINE = '';

/** A licence with floating seats. */
export type FloatingLicense = { id: number; max_installations: number; lease_minutes: number };
/** A licence with fixed or floating seats. */
type Licence = Omit<FloatingLicense, 'lease_minutes'> & { lease_minutes: number | null };

/** How many machines without a seat may still work before the next one counts as a taken seat. */
const uncounted = ({ lease_minutes, max_installations }: Omit<FloatingLicense, 'id'>): number =>
  lease_minutes <= SHORT_LEASE_MINUTES ? max_installations : 0;

/** Until when machines without a seat, other than this one, can still work, earliest first. */
const endsOf = async (db: Db, id: number, { machineId, now }: { machineId: string; now: Date }) =>
  (await outstanding(db, [id], now).where('machine_key', '<>', machineKey(machineId)).execute()).map(
    ({ holds_until }) => holds_until,
  );

/**
 * How many seats of a licence machines without a seat take, because their last tokens are still valid. Decisions need the
 * licence to be locked.
 * @param machineId the calling machine: it may take a seat that it released itself
 */
export async function countBlocked(
  db: Db,
  license: Licence,
  { machineId, now }: { machineId: string; now: Date },
): Promise<number> {
  const { lease_minutes } = license;
  if (lease_minutes === null) return 0;
  const ends = await endsOf(db, license.id, { machineId, now });
  return Math.max(0, ends.length - uncounted({ ...license, lease_minutes }));
}

/** The seats that will be free first: those whose leases end first. */
const nextToLapse = prepared((db, { id, since, count }: { id: number; since: string; count: number }) =>
  db
    .selectFrom('installations')
    .where('license_id', '=', id)
    .where(sql<SqlBool>`${lastSignalAt} >= ${since}`)
    .orderBy(lastSignalAt)
    .limit(count)
    .select(['installation_date', 'last_heartbeat', 'token_until']),
);

/** How many seats of the licence have not lapsed. */
const countValid = prepared((db, { id, since }: { id: number; since: string }) =>
  db
    .selectFrom('installations')
    .where('license_id', '=', id)
    .where(sql<SqlBool>`${lastSignalAt} >= ${since}`)
    .select((eb) => eb.fn.countAll<number>().as('n')),
);

/** The seats of a licence now, as an activation of a machine counts them. */
export type SeatsInUse = { held: number; held_back: number; seat_free_at: string | null };

/**
 * Counts the seats of a licence as an activation does, and computes when the next one becomes free if nobody releases
 * one and no machine sends another heartbeat.
 * @returns seat_free_at is null if a seat is free now; it is a whole second, and in the future
 */
export async function seatsInUse(
  db: Db,
  license: FloatingLicense,
  { machineId, now }: { machineId: string; now: Date },
): Promise<SeatsInUse> {
  const { id, max_installations: max, lease_minutes } = license;
  const since = leaseStart(lease_minutes, now);
  const [valid] = await countValid(db, { id, since });
  const ends = await endsOf(db, id, { machineId, now });
  const held = valid!.n;
  const held_back = Math.max(0, ends.length - uncounted(license));
  const excess = held + held_back - max + 1;
  if (excess <= 0) return { held, held_back, seat_free_at: null };
  const next = await nextToLapse(db, { id, since, count: excess });
  const isLong = uncounted(license) === 0;
  const instants = [
    ...next.map((seat) => endOfSeat(license, seat, isLong)),
    ...ends.slice(0, held_back).map((end) => Date.parse(end)),
  ].sort((a, b) => a - b);
  const free = instants[excess - 1];
  if (free === undefined) return { held, held_back, seat_free_at: null };
  // At the very end of its lease a seat is still taken.
  const at = Math.floor(Math.max(free, now.getTime()) / SECOND_MS) + 1;
  return { held, held_back, seat_free_at: new Date(at * SECOND_MS).toISOString() };
}

type Ending = { installation_date: string; last_heartbeat: string | null; token_until: string | null };

/** When a seat that sends no further heartbeat is free for others, in milliseconds. */
function endOfSeat(license: FloatingLicense, seat: Ending, isLong: boolean): number {
  const lease = Date.parse(leaseUntil(license, seat)!);
  // Only if the lease became shorter does a token outlive its seat.
  return isLong && seat.token_until !== null ? Math.max(lease, Date.parse(seat.token_until)) : lease;
}

/**
 * Counts the seats that a new machine cannot take. It releases seats whose lease has ended: as many as the machine needs,
 * or its own. The licence is locked, so no other machine takes them. The job that releases such seats is not needed for
 * this.
 */
export async function seatsTaken(
  scope: Scope,
  license: Licence & { current_installations: number },
  { machineId, own }: { machineId: string; own: number | undefined },
): Promise<number> {
  const { tx, now } = scope;
  const { id, lease_minutes, current_installations, max_installations } = license;
  if (lease_minutes === null) return current_installations;
  const taken = current_installations + (await countBlocked(tx, license, { machineId, now }));
  const upTo = Math.max(own === undefined ? 0 : 1, taken - max_installations + 1);
  if (upTo === 0) return taken;
  const freed = await releaseLapsed(
    scope,
    { id, lease_minutes },
    { upTo, ...(own !== undefined && { own }) },
  );
  if (freed === 0) return taken;
  // A token outlives its seat if the lease became shorter.
  return current_installations - freed + (await countBlocked(tx, license, { machineId, now }));
}

/** When a seat of a locked licence becomes free, for a refusal (CODE-03); nothing for fixed seats. */
export async function freeAt({ tx, now }: Scope, license: Licence, machineId: string) {
  const { lease_minutes } = license;
  if (lease_minutes === null) return {};
  const { seat_free_at } = await seatsInUse(tx, { ...license, lease_minutes }, { machineId, now });
  if (seat_free_at === null) return {};
  const seconds = Math.ceil((Date.parse(seat_free_at) - now.getTime()) / SECOND_MS);
  return { seatFreeAt: seat_free_at, headers: { 'retry-after': String(Math.max(1, seconds)) } };
}

const signalSince = (instant: string) => sql<SqlBool>`${lastSignalAt} > ${instant}`;

/** How many machines had a seat of a licence and sent a signal since an instant. */
async function machinesSince(db: Db, id: number, since: string): Promise<number> {
  const [seated, gone] = [
    await db
      .selectFrom('installations')
      .where('license_id', '=', id)
      .where(signalSince(since))
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
    await withoutSeat(db, [id])
      .where('heard_at', '>', since)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  ];
  return seated.n + gone.n;
}

/** How many machines of a licence have a seat and sent no signal for more than some minutes. */
async function silentFor(db: Db, id: number, minutes: number, now: Date): Promise<number> {
  const { n } = await db
    .selectFrom('installations')
    .where('license_id', '=', id)
    .where(hasLapsedUnder(minutes, now))
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/**
 * The seats of a licence as a machine that never had one meets them, and the machines of the last 24 hours.
 * @param minutes from when on a machine is silent
 * @returns undefined for an unknown licence
 */
export async function seatsOfLicense(
  db: Db,
  id: number,
  minutes: number | undefined,
  now: Date,
): Promise<LicenseSeats | undefined> {
  const license = await db
    .selectFrom('licenses')
    .where('id', '=', id)
    .select(['id', 'max_installations', 'current_installations', 'lease_minutes'])
    .executeTakeFirst();
  if (!license) return undefined;
  const { max_installations, current_installations, lease_minutes } = license;
  const recent_machines = await machinesSince(db, id, new Date(now.getTime() - DAY_MS).toISOString());
  const known = { as_of: now.toISOString(), max_installations, recent_machines };
  if (lease_minutes === null) {
    const free = { held_back: 0, seat_free_at: null, silent_minutes: null, silent: 0 };
    return { ...known, ...free, held: current_installations };
  }
  const silent_minutes = minutes ?? silentMinutes(lease_minutes);
  return {
    ...known,
    ...(await seatsInUse(db, { ...license, lease_minutes }, { machineId: NO_MACHINE, now })),
    silent_minutes,
    silent: await silentFor(db, id, silent_minutes, now),
  };
}
