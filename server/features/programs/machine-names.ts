import { sql } from 'kysely';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { SHARED_NAMES, SHARED_SHOWN_DAYS } from '../../../contract/mail/notifications.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import type { AppContext } from '../../context.ts';
import { givenRows, lockingOrder } from '../../db/given-rows.ts';
import { perDatabase } from '../../db/per-database.ts';
import type { Db } from '../../db/tables.ts';

/**
 * Under which names the id of a machine is heard: copies of one disk report one id and share a seat, which nobody sees
 * but by their names (INPUT-09). Names are collected in memory and stored some seconds later, like the checks
 * (docs/decisions/090-checks-in-memory.md), so no call waits for them.
 */

type Context = Pick<AppContext, 'db' | 'now' | 'config'>;
type MachineName = { machine_key: string; name: string; license_id: number; machine_id: string; at: string };
type Noted = { day: string; seen: Set<string>; waiting: MachineName[]; timer: NodeJS.Timeout | undefined };

const STORE_AFTER_MS = 8000;
/** Limits the memory; further names of the day are not noted. */
const SEEN_MAX = 100_000;
const ROWS_AT_ONCE = 500;

/** The names of the present day. */
const notedOf = perDatabase((): Noted => ({ day: '', seen: new Set(), waiting: [], timer: undefined }));

function notedOn(db: Db, day: string): Noted {
  const noted = notedOf(db);
  if (noted.day !== day) {
    noted.day = day;
    noted.seen.clear();
  }
  return noted;
}

/** Notes the name that a program reported for its machine; a machine without a name is not noted. */
export function noteMachineName(
  context: Context,
  { machine_id, machine_name: name }: { machine_id: string; machine_name: string },
  license_id: number,
): void {
  if (name === '') return;
  const now = context.now();
  const noted = notedOn(context.db, localDay(now, context.config.timeZone));
  const machine_key = machineKey(machine_id);
  const key = `${license_id} ${machine_key} ${name}`;
  if (noted.seen.has(key) || noted.seen.size >= SEEN_MAX) return;
  noted.seen.add(key);
  noted.waiting.push({ machine_key, name, license_id, machine_id, at: now.toISOString() });
  if (noted.timer !== undefined) return;
  noted.timer = setTimeout(() => {
    // Names that cannot be stored stay in memory; the next one starts the timer again.
    void storeMachineNames(context).catch(() => {});
  }, STORE_AFTER_MS);
  noted.timer.unref();
}

const COLUMNS = {
  day: 'text',
  machine_key: 'text',
  name: 'text',
  license_id: 'bigint',
  machine_id: 'text',
  at: 'timestamptz',
} as const;

/**
 * Stores the names that were collected until now, and marks the ids that had too many of them on their day.
 * @throws the database's error; names that were not stored stay in memory for the next time
 */
export async function storeMachineNames({
  db,
  config: { timeZone },
}: Pick<Context, 'db' | 'config'>): Promise<void> {
  const noted = notedOf(db);
  clearTimeout(noted.timer);
  noted.timer = undefined;
  while (noted.waiting.length > 0) {
    const part = noted.waiting.slice(0, ROWS_AT_ONCE);
    const rows = part.map((row) => ({ day: localDay(row.at, timeZone), ...row }));
    await db.transaction().execute((tx) => store(tx, rows));
    noted.waiting.splice(0, part.length);
  }
}

async function store(tx: Db, rows: (MachineName & { day: string })[]): Promise<void> {
  const given = givenRows(tx, COLUMNS, rows);
  // The join leaves out licences that were deleted meanwhile.
  await sql`insert into machine_names (day, machine_key, name, license_id, machine_id, at)
    select given.day, given.machine_key, given.name, given.license_id, given.machine_id, given.at
    from ${given} inner join licenses on licenses.id = given.license_id
    where true ${lockingOrder(tx, ['day', 'machine_key', 'name', 'license_id'])}
    on conflict do nothing`.execute(tx);
  const at = rows.at(-1)!.at;
  await sql`update machine_names set shared_at = ${at}
    where shared_at is null and (day, machine_key) in (
      select named.day, named.machine_key from machine_names as named
      where (named.day, named.machine_key) in (select given.day, given.machine_key from ${given})
      group by named.day, named.machine_key having count(distinct lower(named.name)) >= ${sql.lit(SHARED_NAMES)})`.execute(
    tx,
  );
}

/** Deletes the names of past days; those of ids in the bell stay as long as that shows them. */
export async function deletePastNames(db: Db, now: Date, timeZone: string): Promise<void> {
  const today = localDay(now, timeZone);
  await db.deleteFrom('machine_names').where('day', '<', addDays(today, -SHARED_SHOWN_DAYS)).execute();
  await db.deleteFrom('machine_names').where('day', '<', today).where('shared_at', 'is', null).execute();
}
