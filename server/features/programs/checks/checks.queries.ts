import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { addDays, localDay } from '../../../../contract/base/time.ts';
import { REPORT_MONTHS_MAX } from '../../../../contract/figures/reports.ts';
import type { Refusal } from '../../../../contract/licenses/license-state.ts';
import {
  CHECK_DAYS,
  CHECKS_MAX,
  type Check,
  type UnknownKeyCheck,
} from '../../../../contract/programs/checks.ts';
import { machineKey } from '../../../../contract/reading/machine-ids.ts';
import type { AppContext } from '../../../context.ts';
import type { Db, LicenseChecksTable, Tables } from '../../../db/tables.ts';
import { hashOfTyped } from './collect-checks.ts';

/** The stored checks of installed programs (SELL-07), latest first. */

const DAY_MS = 24 * 60 * 60_000;
/** Older checks are not listed; housekeeping deletes them. */
const sinceOf = (now: Date) => new Date(now.getTime() - CHECK_DAYS * DAY_MS).toISOString();

const checksOf = (db: Db, now: Date) =>
  db
    .selectFrom('license_checks')
    .select([
      'license_checks.at',
      'license_checks.call',
      'license_checks.license_id',
      'license_checks.machine_id',
      'license_checks.reason',
      'license_checks.day',
      'license_checks.app_version',
      'license_checks.ip',
      'license_checks.count',
    ])
    .where('license_checks.at', '>=', sinceOf(now))
    .orderBy('license_checks.at', 'desc')
    .orderBy('license_checks.license_id')
    .orderBy('license_checks.machine_id')
    .orderBy('license_checks.call')
    .orderBy('license_checks.reason')
    .limit(CHECKS_MAX);

/**
 * Rows by spelling as rows by machine (INPUT-09): the newest of each machine, with the calls of all. The table keeps
 * the spellings; its rows are few and gone in a month.
 * @param rows newest first
 */
function byMachine<Row extends { machine_id: string; count: number }>(
  rows: readonly Row[],
  restOf: (row: Row) => string,
): Row[] {
  const machines = Map.groupBy(rows, (row) => `${machineKey(row.machine_id)} ${restOf(row)}`);
  return [...machines.values()].map((same) => ({
    ...same[0]!,
    count: same.reduce((sum, { count }) => sum + count, 0),
  }));
}

type CheckRow = Omit<LicenseChecksTable, 'last_day'>;

const toChecks = (rows: readonly CheckRow[]): Check[] =>
  byMachine(rows, ({ license_id, call, reason, day }) => `${license_id} ${call} ${reason} ${day}`).map(
    toCheck,
  );

const toCheck = ({ license_id, reason, app_version, day: _day, ...row }: CheckRow): Check => ({
  ...row,
  license: license_id,
  // The cast is safe: only reasons are stored in this column.
  reason: reason === '' ? null : (reason as Refusal),
  app_version: app_version || null,
});

/** The checks of one licence. */
export async function listChecksOfLicense(db: Db, licenseId: number, now: Date): Promise<Check[]> {
  const rows = await checksOf(db, now).where('license_checks.license_id', '=', licenseId).execute();
  return toChecks(rows);
}

/** The latest checks of all licences of a client. */
export async function listChecksOfClient(db: Db, clientId: number, now: Date): Promise<Check[]> {
  const rows = await checksOf(db, now)
    .innerJoin('licenses', 'licenses.id', 'license_checks.license_id')
    .where('licenses.client_id', '=', clientId)
    .execute();
  return toChecks(rows);
}

/** The latest calls with a key that no licence has. The search text is compared with the typed key. */
export async function listUnknownChecks(
  { db, secrets, now }: Pick<AppContext, 'db' | 'secrets' | 'now'>,
  typed: string,
): Promise<UnknownKeyCheck[]> {
  const rows = await db
    .selectFrom('unknown_key_checks')
    .select(['typed', 'call', 'machine_id', 'ip', 'at', 'count'])
    .where('key_hash', '=', hashOfTyped({ secrets }, typed))
    .where('at', '>=', sinceOf(now()))
    .orderBy('at', 'desc')
    .orderBy('call')
    .orderBy('machine_id')
    .limit(CHECKS_MAX)
    .execute();
  return byMachine(rows, ({ call }) => call);
}

/** Rows in one transaction; other requests can write between two of them. */
const BATCH = 1000;
const MONTH_DAYS_MAX = 31;

/** Deletes checks that are too old for the lists, and sums of days that are too old for a report. */
export async function deletePastChecks(db: Kysely<Tables>, now: Date, timeZone: string): Promise<void> {
  const today = localDay(now, timeZone);
  const firstDay = addDays(today, -CHECK_DAYS);
  for (let deleted = BATCH; deleted === BATCH; ) {
    const result = await db
      .deleteFrom('license_checks')
      .where((eb) =>
        eb(
          eb.refTuple('license_id', 'machine_id', 'call', 'reason', 'day'),
          'in',
          eb
            .selectFrom('license_checks')
            .select(['license_id', 'machine_id', 'call', 'reason', 'day'])
            .where('last_day', '<', firstDay)
            .limit(BATCH)
            .$asTuple('license_id', 'machine_id', 'call', 'reason', 'day'),
        ),
      )
      .executeTakeFirst();
    deleted = Number(result.numDeletedRows);
    await letOthersRun();
  }
  await db.deleteFrom('unknown_key_checks').where('at', '<', sinceOf(now)).execute();
  await db
    .deleteFrom('check_days')
    .where('day', '<', addDays(today, -REPORT_MONTHS_MAX * MONTH_DAYS_MAX))
    .execute();
}
