import { type SqlBool, sql } from 'kysely';
import { localDay } from '../../../contract/base/time.ts';
import { tokenEnd } from '../../../contract/programs/license-token.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { ofMachine } from '../../rules/machine-seats.ts';
import type { Scope } from '../../scope.ts';

/**
 * A token cannot be revoked: a machine whose seat was released can work without connection until its last token ends.
 * So only few seats of a licence may be free in this way at the same time (PROG-06,
 * docs/decisions/069-tokens-outlive-seats.md).
 */

/**
 * A repeated heartbeat within a minute is not stored, so the real end of its token may be this much later than the
 * stored one.
 */
export const HEARTBEAT_REST_MS = 60_000;

/** One of this many seats may be free while a token of its last machine is valid; always at least one seat. */
const SEATS_FOR_ONE = 10;

/** With a lease up to this length a released seat is free at once, because the last token ends with the lease. */
const SHORT_LEASE_MINUTES = 60;

type Terms = {
  offline_days: number;
  expiry_date: string | null;
  grace_days: number;
  lease_minutes: number | null;
};

/**
 * Until when a machine can work with the token of an answer given now; null if it wanted no token.
 * @param leaseUntil the end of the lease of a floating seat, null for a fixed one
 */
export function tokenUntil(
  terms: Terms,
  { nonce, leaseUntil }: { nonce: string | undefined; leaseUntil: string | null },
  { now, timeZone }: { now: Date; timeZone: string },
): string | null {
  if (nonce === undefined) return null;
  return new Date(tokenEnd({ ...terms, leaseUntil }, terms.offline_days, now, timeZone) * 1000).toISOString();
}

/** A seat that is being released. */
export type ReleasedSeat = { machine_id: string; token_until: string | null; file_until: string | null };
type Licence = { id: number; max_installations: number; lease_minutes: number | null };

const isAfter = (instant: string | null, now: Date): instant is string =>
  instant !== null && Date.parse(instant) > now.getTime();

/** Until when the machine of a seat can still work; null if it cannot, or only for a short lease. */
function holdsUntil(license: Licence, { token_until, file_until }: ReleasedSeat, now: Date): string | null {
  if (license.lease_minutes !== null && license.lease_minutes <= SHORT_LEASE_MINUTES) return null;
  const rest = license.lease_minutes === null ? HEARTBEAT_REST_MS : 0;
  const token = token_until === null ? null : new Date(Date.parse(token_until) + rest).toISOString();
  const [latest] = [token, file_until].filter((end) => isAfter(end, now)).sort((a, b) => (a! < b! ? 1 : -1));
  return latest ?? null;
}

/**
 * For machines without a seat that can still work: until when, earliest first. A machine that has a seat again is
 * left out.
 */
const outstanding = (tx: Db, licenseIds: number[], now: Date) =>
  tx
    .selectFrom('released_seats')
    .select(['license_id', 'holds_until'])
    .where((eb) => isAmong(tx, eb.ref('released_seats.license_id'), licenseIds))
    .where('holds_until', '>', now.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('installations')
            .select('installations.id')
            .whereRef('installations.license_id', '=', 'released_seats.license_id')
            // A row of an older version has no key until a job fills it.
            .where(({ or, eb: seat }) =>
              or([
                seat('installations.machine_key', '=', seat.ref('released_seats.machine_key')),
                seat('installations.machine_id', '=', seat.ref('released_seats.machine_id')),
              ]),
            ),
        ),
      ),
    )
    .orderBy('holds_until');

/**
 * How many floating seats of a locked licence nobody may take yet, because the last token of their machine is still
 * valid.
 * @param machineId the calling machine: it may take a seat that it released itself
 */
export async function countHeldBack(
  { tx, now }: Pick<Scope, 'tx' | 'now'>,
  { id, lease_minutes }: Pick<Licence, 'id' | 'lease_minutes'>,
  machineId: string,
): Promise<number> {
  if (lease_minutes === null || lease_minutes <= SHORT_LEASE_MINUTES) return 0;
  const rows = await outstanding(tx, [id], now)
    .where(sql<SqlBool>`not coalesce(${ofMachine('released_seats', machineId)}, false)`)
    .execute();
  return rows.length;
}

/**
 * Checks whether a program may release a fixed seat of a locked licence now.
 * @throws AppError 409 file_issued, 409 release_limit, both with the local day from which it may
 */
export async function requireReleasable(
  { tx, now, timeZone }: Scope,
  license: Licence,
  seat: ReleasedSeat,
): Promise<void> {
  const ends = await outstanding(tx, [license.id], now).execute();
  const refusal = releaseRefusal(license, seat, ends, { now, timeZone });
  if (refusal) throw new AppError(409, refusal.code, refusal);
}

/** Why a seat may not be released now, and the local day from which it may. */
export type ReleaseRefusal = { code: 'file_issued' | 'release_limit'; availableFrom: string };

/** The machines without a seat that can still work, by licence: until when each can. */
export const outstandingOf = async (db: Db, licenseIds: number[], now: Date) =>
  Map.groupBy(await outstanding(db, licenseIds, now).execute(), ({ license_id }) => license_id);

/**
 * The rule of {@link requireReleasable}.
 * @param ends until when each machine without a seat can still work, earliest first
 */
export function releaseRefusal(
  license: Licence,
  seat: ReleasedSeat,
  ends: readonly { holds_until: string }[],
  { now, timeZone }: Pick<Scope, 'now' | 'timeZone'>,
): ReleaseRefusal | null {
  const from = (instant: string) => ({ availableFrom: localDay(instant, timeZone) });
  if (isAfter(seat.file_until, now)) return { code: 'file_issued', ...from(seat.file_until) };
  if (holdsUntil(license, seat, now) === null) return null;
  const allowed = Math.max(1, Math.floor(license.max_installations / SEATS_FOR_ONE));
  const next = ends[ends.length - allowed];
  return next ? { code: 'release_limit', ...from(next.holds_until) } : null;
}

/**
 * Stores that a seat was released, if its machine can still work. Call it in the transaction of the release.
 * @returns until when the machine can work, null if it cannot
 */
export async function noteReleased(
  { tx, now }: Pick<Scope, 'tx' | 'now'>,
  license: Licence,
  seat: ReleasedSeat,
): Promise<string | null> {
  const holds_until = holdsUntil(license, seat, now);
  if (holds_until === null) return null;
  await tx
    .deleteFrom('released_seats')
    .where('license_id', '=', license.id)
    .where(({ or, eb }) =>
      or([eb('holds_until', '<=', now.toISOString()), ofMachine('released_seats', seat.machine_id)]),
    )
    .execute();
  const { machine_id } = seat;
  await tx
    .insertInto('released_seats')
    .values({ license_id: license.id, machine_id, machine_key: machineKey(machine_id), holds_until })
    .execute();
  return holds_until;
}

/** Stores the end of a machine's offline file, unless an earlier file ends later. */
export async function noteFile(tx: Db, installationId: number, ends: string): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ file_until: ends })
    .where('id', '=', installationId)
    .where(({ or, eb }) => or([eb('file_until', 'is', null), eb('file_until', '<', ends)]))
    .execute();
}
