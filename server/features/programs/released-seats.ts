import { type Expression, sql } from 'kysely';
import { localDay } from '../../../contract/base/time.ts';
import type { SeatTimes } from '../../../contract/licenses/seats.ts';
import { tokenEnd } from '../../../contract/programs/license-token.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';

/**
 * A token cannot be revoked: a machine whose seat was released can work without connection until its last token ends.
 * So only few seats of a licence may be free in this way at the same time (PROG-06, CODE-02,
 * docs/decisions/069-tokens-outlive-seats.md and 164-released-floating-seats.md). free-seats.ts has the rule of floating
 * seats.
 */

/**
 * A repeated heartbeat within a minute is not stored, so the real end of its token may be this much later than the
 * stored one.
 */
export const HEARTBEAT_REST_MS = 60_000;

/** One of this many seats may be free while a token of its last machine is valid; always at least one seat. */
const SEATS_FOR_ONE = 10;

const DAY_MS = 24 * 60 * 60_000;
/** Rows in one statement, which has few values for each. */
const ROWS_AT_ONCE = 500;

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

/**
 * The later end of a machine's tokens, for an update of its seat: an earlier token may end later than the present one,
 * if the lease or the offline days of the licence became shorter.
 */
export const latestEnd = (end: string | null | Expression<string | null>) =>
  sql<string | null>`case when installations.token_until > ${end} then installations.token_until
    else coalesce(${end}, installations.token_until) end`;

/** A seat that is being released. */
export type ReleasedSeat = { machine_id: string; token_until: string | null; file_until: string | null };
/** What {@link storeReleasedSeats} needs of a deleted seat. */
export const LEFT = [
  'machine_id',
  'token_until',
  'file_until',
  'installation_date',
  'last_heartbeat',
] as const satisfies (keyof (ReleasedSeat & SeatTimes))[];
type Licence = { id: number; max_installations: number; lease_minutes: number | null };

const isAfter = (instant: string | null, now: Date): instant is string =>
  instant !== null && Date.parse(instant) > now.getTime();

const latestOf = (instants: readonly (string | null)[]): string | null =>
  instants.reduce(
    (latest, instant) => (instant !== null && instant > (latest ?? '') ? instant : latest),
    null,
  );

/** Until when the machine of a seat can still work; null if it cannot. */
function holdsUntil(
  license: Pick<Licence, 'lease_minutes'>,
  { token_until, file_until }: ReleasedSeat,
  now: Date,
): string | null {
  const rest = license.lease_minutes === null ? HEARTBEAT_REST_MS : 0;
  const token = token_until === null ? null : new Date(Date.parse(token_until) + rest).toISOString();
  return latestOf([token, file_until].map((end) => (isAfter(end, now) ? end : null)));
}

/** Machines that left some licences and have no seat of them now. */
export const withoutSeat = (db: Db, licenseIds: number[]) =>
  db
    .selectFrom('released_seats')
    .where((eb) => isAmong(db, eb.ref('released_seats.license_id'), licenseIds))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('installations')
            .select('installations.id')
            .whereRef('installations.license_id', '=', 'released_seats.license_id')
            .whereRef('installations.machine_key', '=', 'released_seats.machine_key'),
        ),
      ),
    );

/** For machines without a seat that can still work: until when, earliest first. */
export const outstanding = (db: Db, licenseIds: number[], now: Date) =>
  withoutSeat(db, licenseIds)
    .where('holds_until', '>', now.toISOString())
    .select(['license_id', 'holds_until'])
    .orderBy('holds_until');

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
 * Stores that seats of a locked licence were released: until when their machines can still work, and when they sent
 * their last signal. Call it in the transaction of the release, with the rows as they were deleted: a heartbeat may have
 * been stored since they were read.
 * @param byStaff a floating seat that staff release is free at once (CODE-02); a fixed one counts for programs
 * @returns until when one of the machines can work, null if none can
 */
export async function storeReleasedSeats(
  { tx, now }: Pick<Scope, 'tx' | 'now'>,
  license: Pick<Licence, 'id' | 'lease_minutes'>,
  seats: readonly (ReleasedSeat & SeatTimes)[],
  { byStaff = false }: { byStaff?: boolean } = {},
): Promise<string | null> {
  const [at, dayAgo] = [now.toISOString(), new Date(now.getTime() - DAY_MS).toISOString()];
  const isFree = byStaff && license.lease_minutes !== null;
  await tx
    .deleteFrom('released_seats')
    .where('license_id', '=', license.id)
    .where('holds_until', '<=', dayAgo)
    .execute();
  let latest: string | null = null;
  for (let from = 0; from < seats.length; from += ROWS_AT_ONCE) {
    const left = seats.slice(from, from + ROWS_AT_ONCE);
    const known = await forget(tx, license.id, left);
    const rows = left.map((seat) => {
      const { machine_id, last_heartbeat, installation_date } = seat;
      const machine_key = machineKey(machine_id);
      const before = known.get(machine_key);
      // A token of an earlier seat may end later: the program need not want one for each seat.
      const ends = [holdsUntil(license, seat, now), isAfter(before ?? null, now) ? before! : null];
      const until = latestOf(ends);
      latest = latestOf([latest, until]);
      return {
        license_id: license.id,
        machine_id,
        machine_key,
        holds_until: isFree ? at : (until ?? at),
        heard_at: last_heartbeat ?? installation_date,
      };
    });
    const kept = rows.filter(({ holds_until, heard_at }) => holds_until > at || heard_at > dayAgo);
    if (kept.length > 0) await tx.insertInto('released_seats').values(kept).execute();
  }
  return latest;
}

/** Deletes the rows of some machines. Returns until when each could work, by its key. */
async function forget(
  tx: Db,
  licenseId: number,
  machines: readonly Pick<ReleasedSeat, 'machine_id'>[],
): Promise<Map<string, string>> {
  const keys = machines.map(({ machine_id }) => machineKey(machine_id));
  const rows = await tx
    .deleteFrom('released_seats')
    .where('license_id', '=', licenseId)
    .where('machine_key', 'in', keys)
    .returning(['machine_key', 'holds_until'])
    .execute();
  const ends = new Map<string, string>();
  for (const { machine_key, holds_until } of rows) {
    ends.set(machine_key, latestOf([ends.get(machine_key) ?? null, holds_until])!);
  }
  return ends;
}

/** Stores the end of a machine's offline file, unless an earlier file ends later. */
export async function storeFileEnd(tx: Db, installationId: number, ends: string): Promise<void> {
  await tx
    .updateTable('installations')
    .set({ file_until: ends })
    .where('id', '=', installationId)
    .where(({ or, eb }) => or([eb('file_until', 'is', null), eb('file_until', '<', ends)]))
    .execute();
}
