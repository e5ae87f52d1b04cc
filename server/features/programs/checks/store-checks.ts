import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Refusal } from '../../../../contract/licenses/license-state.ts';
import { CHECKS_MAX, type CheckCall, UNKNOWN_CHECKS_MAX } from '../../../../contract/programs/checks.ts';
import { isAmong } from '../../../db/dialect.ts';
import { givenRows, lockingOrder } from '../../../db/given-rows.ts';
import type { Db, Tables } from '../../../db/tables.ts';

/** Stores collected checks, some hundred rows in one statement (docs/decisions/090-checks-in-memory.md). */

/** The checks of a licence's machine with the same answer: one row of the table, and its part of the sums. */
export type LicenseCheck = {
  license_id: number;
  software_id: number;
  machine_id: string;
  call: CheckCall;
  /** '' if the licence was valid. */
  reason: Refusal | '';
  /** The local day. */
  today: string;
  app_version: string;
  ip: string;
  /** The time of the last check, in milliseconds. */
  time: number;
  count: number;
};

/** Checks with a key that no licence has. */
export type UnknownCheck = Pick<LicenseCheck, 'machine_id' | 'call' | 'ip' | 'time' | 'count' | 'today'> & {
  key_hash: string;
  typed: string;
};

/** Rows in one statement, which occupies a SQLite file for some milliseconds. */
const ROWS_AT_ONCE = 1000;

const CHECK_COLUMNS = {
  license_id: 'bigint',
  machine_id: 'text',
  app_version: 'text',
  ip: 'text',
  at: 'timestamptz',
  count: 'bigint',
} as const;

/** SQLite does not accept `offset` without a `limit`. */
const ALL = sql.lit(1_000_000);

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Stores checks and adds them to the sums of their days, in parts. Stored parts are removed from the list, so that
 * after an error only the rest stays in it.
 */
export async function storeLicenseChecks(db: Kysely<Tables>, checks: LicenseCheck[]): Promise<void> {
  // Sorted, so that the rows of a part are neighbours in the table and few pages change.
  checks.sort((a, b) => a.license_id - b.license_id);
  while (checks.length > 0) {
    const part = checks.slice(0, ROWS_AT_ONCE);
    await db.transaction().execute(async (tx) => {
      const answers = byAnswer(part);
      for (const alike of answers) await writeChecks(tx, alike);
      await dropBeyond(tx, [...new Set(part.map(({ license_id }) => license_id))]);
      await addToDays(tx, answers.flatMap(sumsBySoftware));
    });
    checks.splice(0, part.length);
    await letOthersRun();
  }
}

const isSameAnswer = (a: LicenseCheck, b: LicenseCheck) =>
  a.call === b.call && a.reason === b.reason && a.today === b.today;

/**
 * Groups checks by answer. A success has only one row, so around midnight it may have checks of two days; the later
 * day counts.
 */
function byAnswer(checks: readonly LicenseCheck[]): LicenseCheck[][] {
  const answers: LicenseCheck[][] = [];
  for (const check of checks) {
    const alike = answers.find(([first]) => isSameAnswer(first!, check));
    if (alike) alike.push(check);
    else answers.push([check]);
  }
  return answers.sort(
    ([a], [b]) => compare(a!.today, b!.today) || compare(a!.call, b!.call) || compare(a!.reason, b!.reason),
  );
}

const byDay = <Check extends { today: string }>(checks: readonly Check[]) =>
  [...Map.groupBy(checks, ({ today }) => today)].sort(([a], [b]) => compare(a, b));

/**
 * Formats instants that are within few seconds. Each second is formatted only once, because `toISOString` takes half
 * a microsecond.
 */
function instantWriter(): (time: number) => string {
  const seconds = new Map<number, string>();
  return (time) => {
    const milliseconds = time % 1000;
    const second = time - milliseconds;
    let text = seconds.get(second);
    if (text === undefined) {
      text = new Date(second).toISOString().slice(0, -'000Z'.length);
      seconds.set(second, text);
    }
    return `${text}${String(milliseconds).padStart(3, '0')}Z`;
  };
}

/** @param checks at least one, all with the same call, reason and day */
async function writeChecks(tx: Db, checks: readonly LicenseCheck[]): Promise<void> {
  const { call, reason, today: last_day } = checks[0]!;
  const instantOf = instantWriter();
  const rows = checks.map(({ license_id, machine_id, app_version, ip, time, count }) => ({
    ...{ license_id, machine_id, app_version, ip, count },
    at: instantOf(time),
  }));
  const given = givenRows(tx, CHECK_COLUMNS, rows);
  const text = (value: string) => sql`cast(${value} as text)`;
  const [today, day] = [text(last_day), text(reason === '' ? '' : last_day)];
  // The join leaves out licences that were deleted meanwhile. An update of a row of the same day does not change its
  // index entry.
  const { numAffectedRows } = await sql`
    insert into license_checks
      (license_id, machine_id, call, reason, day, app_version, ip, at, count, last_day)
    select given.license_id, given.machine_id, ${text(call)}, ${text(reason)}, ${day}, given.app_version, given.ip,
      given.at, given.count, ${today}
    from ${given} inner join licenses on licenses.id = given.license_id
    where true
    ${lockingOrder(tx, ['license_id', 'machine_id'])}
    on conflict (license_id, machine_id, call, reason, day) do update
    set at = excluded.at, count = license_checks.count + excluded.count, app_version = excluded.app_version,
      ip = excluded.ip
    where license_checks.last_day = excluded.last_day`.execute(tx);
  if (numAffectedRows === BigInt(rows.length)) return;
  await sql`
    update license_checks
    set at = given.at, count = license_checks.count + given.count, app_version = given.app_version, ip = given.ip,
      last_day = ${today}
    from ${given}
    where license_checks.license_id = given.license_id and license_checks.machine_id = given.machine_id
      and license_checks.call = ${call} and license_checks.reason = ${reason}
      and license_checks.day = ${day} and license_checks.last_day <> ${today}`.execute(tx);
}

/** Deletes the oldest rows of a licence beyond the limit. */
async function dropBeyond(tx: Db, licenses: number[]): Promise<void> {
  const wide = await tx
    .selectFrom('license_checks')
    .select('license_id')
    .where(isAmong(tx, sql.ref('license_id'), licenses))
    .groupBy('license_id')
    .having((eb) => eb(eb.fn.countAll<number>(), '>', CHECKS_MAX))
    .execute();
  for (const { license_id } of wide) {
    await sql`
      delete from license_checks
      where license_id = ${license_id} and (machine_id, call, reason, day) in (
        select machine_id, call, reason, day from license_checks where license_id = ${license_id}
        order by at desc, machine_id, call, reason, day limit ${ALL} offset ${sql.lit(CHECKS_MAX)})`.execute(
      tx,
    );
  }
}

const DAY_COLUMNS = { day: 'text', software_id: 'bigint', reason: 'text', count: 'bigint' } as const;
type DayCount = { day: string; software_id: number; reason: string; count: number };

/** @param checks at least one, all with the same reason and day */
function sumsBySoftware(checks: readonly LicenseCheck[]): DayCount[] {
  const { reason, today: day } = checks[0]!;
  const counts = new Map<number, number>();
  for (const { software_id, count } of checks)
    counts.set(software_id, (counts.get(software_id) ?? 0) + count);
  return [...counts].map(([software_id, count]) => ({ day, software_id, reason, count }));
}

async function addToDays(tx: Db, counts: readonly DayCount[]): Promise<void> {
  const sums = new Map<string, DayCount>();
  for (const { day, software_id, reason, count } of counts) {
    const key = `${day} ${software_id} ${reason}`;
    const sum = sums.get(key);
    if (sum) sum.count += count;
    else sums.set(key, { day, software_id, reason, count });
  }
  const rows = [...sums.values()].sort(
    (a, b) => compare(a.day, b.day) || a.software_id - b.software_id || compare(a.reason, b.reason),
  );
  await sql`
    insert into check_days (day, software_id, reason, count)
    select given.day, given.software_id, given.reason, given.count
    from ${givenRows(tx, DAY_COLUMNS, rows)}
    where true
    ${lockingOrder(tx, ['day', 'software_id', 'reason'])}
    on conflict (day, software_id, reason) do update set count = check_days.count + excluded.count`.execute(
    tx,
  );
}

const UNKNOWN_COLUMNS = {
  key_hash: 'text',
  call: 'text',
  machine_id: 'text',
  typed: 'text',
  ip: 'text',
  at: 'timestamptz',
  count: 'bigint',
} as const;

/** An id that no software has. */
const NO_SOFTWARE = 0;

/**
 * Stores collected calls with unknown keys, like {@link storeLicenseChecks}, and deletes the oldest rows beyond the
 * limit.
 */
export async function storeUnknownChecks(db: Kysely<Tables>, checks: UnknownCheck[]): Promise<void> {
  if (checks.length === 0) return;
  const instantOf = instantWriter();
  await db.transaction().execute(async (tx) => {
    for (const [, ofDay] of byDay(checks)) {
      const rows = ofDay
        .map(({ key_hash, call, machine_id, typed, ip, time, count }) => ({
          ...{ key_hash, call, machine_id, typed, ip, count },
          at: instantOf(time),
        }))
        .sort(
          (a, b) =>
            compare(a.key_hash, b.key_hash) || compare(a.call, b.call) || compare(a.machine_id, b.machine_id),
        );
      await sql`
        insert into unknown_key_checks (key_hash, call, machine_id, typed, ip, at, count)
        select given.key_hash, given.call, given.machine_id, given.typed, given.ip, given.at, given.count
        from ${givenRows(tx, UNKNOWN_COLUMNS, rows)}
        where true
        ${lockingOrder(tx, ['key_hash', 'call', 'machine_id'])}
        on conflict (key_hash, call, machine_id) do update
        set at = excluded.at, count = unknown_key_checks.count + excluded.count, ip = excluded.ip`.execute(
        tx,
      );
    }
    // All in one direction, so that the index by time has them in this order.
    await sql`
      delete from unknown_key_checks where (key_hash, call, machine_id) in (
        select key_hash, call, machine_id from unknown_key_checks
        order by at desc, key_hash desc, call desc, machine_id desc
        limit ${ALL} offset ${sql.lit(UNKNOWN_CHECKS_MAX)})`.execute(tx);
    await addToDays(
      tx,
      checks.map(({ today: day, count }) => ({ day, software_id: NO_SOFTWARE, reason: 'not_found', count })),
    );
  });
  checks.splice(0);
}
