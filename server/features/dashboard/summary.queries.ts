import type { Statistics } from '../../../contract/figures/statistics.ts';
import { keptCount } from '../../db/kept-counts.ts';
import type { Db } from '../../db/tables.ts';
import { hasNotEnded } from '../../rules/active-licenses.ts';
import { clients, countEach, software } from '../figures/counting.ts';
import { FOREVER } from '../figures/day-facts.ts';
import { sumFacts, totalOf } from '../figures/sum-facts.ts';

const CHANGE_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The numbers of licences issued in the last thirty days, counted in one pass. */
type Recent = { recent: { active: number; trial: number } };

/**
 * The figures of the dashboard (SEED-3-23, D067, D068, D105).
 *
 * Each earlier figure counts the records that existed thirty days ago (for licences: that were issued by then).
 * 'Active then' means: status 'active' today, and not past the end at that time. Only the last thirty days are read
 * for it: then = now + expired since − issued since.
 */
export async function summarize(db: Db, now: Date): Promise<Statistics> {
  const nowText = now.toISOString();
  const then = new Date(now.getTime() - CHANGE_DAYS * DAY_MS).toISOString();
  const statement = db.with(
    (name) => name('recent').materialized(),
    (query) =>
      query
        .selectFrom('licenses')
        .where('issued_date', '>', then)
        .select((eb) => [
          eb.fn
            .countAll<number>()
            .filterWhere('status', '=', 'active')
            .filterWhere(hasNotEnded(then, 'expiry_date'))
            .as('active'),
          eb.fn
            .countAll<number>()
            .filterWhere(eb.or([eb('license_type', '=', 'trial'), eb('status', '=', 'trial')]))
            .as('trial'),
        ]),
  );
  const recent = db.withTables<Recent>().selectFrom('recent');
  const [current, ended] = await sumFacts(
    db,
    ['end.active'],
    [
      { since: nowText, until: FOREVER },
      { since: then, until: nowText },
    ],
    {},
  );
  const count = await countEach(statement, {
    licenses: keptCount(db, { table: 'licenses' }),
    activeIssuedLately: recent.select('recent.active as n'),
    trialByCategory: keptCount(db, { table: 'licenses', kind: 'trial' }),
    trialByStatus: keptCount(db, { table: 'licenses', status: 'trial' }),
    trialByBoth: keptCount(db, { table: 'licenses', status: 'trial', kind: 'trial' }),
    trialIssuedLately: recent.select('recent.trial as n'),
    clients: keptCount(db, { table: 'clients' }),
    clientsLately: clients(db).where('created_at', '>', then),
    software: software(db),
    softwareLately: software(db).where('created_at', '>', then),
  });
  const active_licenses = totalOf(current!, 'n');
  const trial_licenses = count.trialByCategory + count.trialByStatus - count.trialByBoth;
  const differences = {
    active_licenses: count.activeIssuedLately - totalOf(ended!, 'n'),
    total_clients: count.clientsLately,
    trial_licenses: count.trialIssuedLately,
    total_software: count.softwareLately,
  };
  return {
    active_licenses,
    total_clients: count.clients,
    total_licenses: count.licenses,
    trial_licenses,
    total_software: count.software,
    last_updated: nowText,
    changes: {
      active_licenses: changeInPercent(active_licenses - differences.active_licenses, active_licenses),
      total_clients: changeInPercent(count.clients - differences.total_clients, count.clients),
      trial_licenses: changeInPercent(trial_licenses - differences.trial_licenses, trial_licenses),
      total_software: changeInPercent(count.software - differences.total_software, count.software),
    },
    differences,
  };
}

/** The change from `before` to `after` in percent, with one decimal; null when `before` is 0 (D105). */
export function changeInPercent(before: number, after: number): number | null {
  return before === 0 ? null : Math.round(((after - before) / before) * 1000) / 10;
}
