import type { z } from 'zod';
import { HEARTBEAT_WINDOW_MS } from '../../../contract/base/limits.ts';
import type { usageStatistics } from '../../../contract/figures/statistics.ts';
import { idRanges } from '../../db/long-reads.ts';
import type { Db } from '../../db/tables.ts';
import { hasNotEnded } from '../../rules/active-licenses.ts';
import { type DayRange, periodOf } from '../figures/periods.ts';

type UsageStatistics = z.infer<typeof usageStatistics>['statistics'];

/** The figures that describe the present and do not depend on the range. */
export type SeatUse = Omit<UsageStatistics, keyof DayRange | 'new_installations'>;

/**
 * How much of the sold capacity is in use (SEED-7.6-05). Only seats of usable licences count: status 'active' or
 * 'trial', not past their end.
 */
export async function measureUsage(db: Db, now: Date): Promise<SeatUse> {
  const machines = await countMachines(db, now);
  const seats = await countSeats(db, now);
  const sum = (count: (software: Machines) => number) =>
    [...machines.values()].reduce((total, software) => total + count(software), 0);
  const total = sum((software) => software.total);
  const active = sum((software) => software.active);
  return {
    total_installations: total,
    active_installations: active,
    inactive_installations: total - active,
    never_reported: sum((software) => software.silent),
    seats_total: seats.total,
    seats_used: seats.used,
    utilization_percent: seats.total === 0 ? 0 : Math.round((seats.used / seats.total) * 1000) / 10,
    by_software: await withNames(db, machines),
  };
}

/** Counts the installations made in a range of local days, by one range of an index. */
export async function countNewInstallations(db: Db, range: DayRange, timeZone: string): Promise<number> {
  const { since, until } = periodOf(range, timeZone);
  const { n } = await db
    .selectFrom('installations')
    .where('installation_date', '>=', since)
    .where('installation_date', '<', until)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** The installations of one software: all, those with a recent heartbeat, those that never had one. */
type Machines = { total: number; active: number; silent: number };

/** Counts installations by software, for one range of ids at a time, so that no statement takes long. */
async function countMachines(db: Db, now: Date): Promise<Map<number, Machines>> {
  // Active means less than 24 hours ago; exactly 24 hours is inactive (D109).
  const beatenAfter = new Date(now.getTime() - HEARTBEAT_WINDOW_MS).toISOString();
  const machines = new Map<number, Machines>();
  for await (const { after, upTo } of idRanges(db, 'installations')) {
    const rows = await db
      .selectFrom('installations')
      .innerJoin('licenses', 'licenses.id', 'installations.license_id')
      .where('installations.id', '>', after)
      .where('installations.id', '<=', upTo)
      .select('licenses.software_id')
      .select((eb) => [
        eb.fn.countAll<number>().as('total'),
        eb.fn.countAll<number>().filterWhere('last_heartbeat', '>', beatenAfter).as('active'),
        eb.fn.countAll<number>().filterWhere('last_heartbeat', 'is', null).as('silent'),
      ])
      .groupBy('licenses.software_id')
      .execute();
    for (const { software_id, ...counted } of rows) {
      const known = machines.get(software_id) ?? { total: 0, active: 0, silent: 0 };
      machines.set(software_id, {
        total: known.total + counted.total,
        active: known.active + counted.active,
        silent: known.silent + counted.silent,
      });
    }
  }
  return machines;
}

async function countSeats(db: Db, now: Date): Promise<{ total: number; used: number }> {
  const seats = { total: 0, used: 0 };
  for await (const { after, upTo } of idRanges(db, 'licenses')) {
    const range = await db
      .selectFrom('licenses')
      .select((eb) => [
        eb.fn.sum<number | null>('max_installations').as('total'),
        eb.fn.sum<number | null>('current_installations').as('used'),
      ])
      .where('id', '>', after)
      .where('id', '<=', upTo)
      .where('status', 'in', ['active', 'trial'])
      .where(hasNotEnded(now.toISOString()))
      .executeTakeFirstOrThrow();
    seats.total += range.total ?? 0;
    seats.used += range.used ?? 0;
  }
  return seats;
}

async function withNames(db: Db, machines: Map<number, Machines>): Promise<UsageStatistics['by_software']> {
  const software = await db.selectFrom('software').select(['id', 'name']).orderBy('id').execute();
  return software
    .map(({ id, name }) => ({
      id,
      name,
      installations: machines.get(id)?.total ?? 0,
      active: machines.get(id)?.active ?? 0,
    }))
    .filter(({ installations }) => installations > 0)
    .sort((a, b) => b.installations - a.installations);
}
