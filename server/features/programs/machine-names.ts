import { sql } from 'kysely';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { SHARED_NAMES, SHARED_SHOWN_DAYS } from '../../../contract/mail/notifications.ts';
import { machineKey } from '../../../contract/reading/machine-ids.ts';
import type { AppContext } from '../../context.ts';
import { givenRows, lockingOrder } from '../../db/given-rows.ts';
import { perDatabase } from '../../db/per-database.ts';
import type { Db } from '../../db/tables.ts';

/**
 * Under which names the id of a machine is reported: copies of one disk report one id and share a seat, which nobody sees
 * but by their names (INPUT-09). Names are collected in memory and stored some seconds later, like the checks
 * (docs/decisions/090-checks-in-memory.md), so no call waits for them.
 */

type Context = Pick<AppContext, 'db' | 'now' | 'config'>;
type MachineName = { machine_key: string; name: string; license_id: number; machine_id: string; at: string };
type Collected = {
  day: string;
  known: Set<string>;
  waiting: MachineName[];
  timer: NodeJS.Timeout | undefined;
};

const STORE_AFTER_MS = 8000;
/** Limits the memory; further names of the day are not collected. */
const NAMES_MAX = 100_000;
const ROWS_AT_ONCE = 500;

/** The names of the present day. */
const collectedOf = perDatabase(
  (): Collected => ({ day: '', known: new Set(), waiting: [], timer: undefined }),
);

function collectedOn(db: Db, day: string): Collected {
  const collected = collectedOf(db);
  if (collected.day !== day) {
    collected.day = day;
    collected.known.clear();
  }
  return collected;
}

/** Collects the name that a program reported for its machine; one without a name is left out. */
export function collectMachineName(
  context: Context,
  { machine_id, machine_name: name }: { machine_id: string; machine_name: string },
  license_id: number,
): void {
  if (name === '') return;
  const now = context.now();
  const collected = collectedOn(context.db, localDay(now, context.config.timeZone));
  const machine_key = machineKey(machine_id);
  const key = `${license_id} ${machine_key} ${name}`;
  if (collected.known.has(key) || collected.known.size >= NAMES_MAX) return;
  collected.known.add(key);
  collected.waiting.push({ machine_key, name, license_id, machine_id, at: now.toISOString() });
  if (collected.timer !== undefined) return;
  collected.timer = setTimeout(() => {
    // Names that cannot be stored stay in memory; the next one starts the timer again.
    void storeMachineNames(context).catch(() => {});
  }, STORE_AFTER_MS);
  collected.timer.unref();
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
  const collected = collectedOf(db);
  clearTimeout(collected.timer);
  collected.timer = undefined;
  while (collected.waiting.length > 0) {
    const part = collected.waiting.slice(0, ROWS_AT_ONCE);
    const rows = part.map((row) => ({ day: localDay(row.at, timeZone), ...row }));
    await db.transaction().execute((tx) => store(tx, rows));
    collected.waiting.splice(0, part.length);
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
