import type { z } from 'zod';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../../../contract/clients/clients.fields.ts';
import type { clientStatistics } from '../../../contract/figures/statistics.ts';
import { keptCount } from '../../db/kept-counts.ts';
import { idRanges } from '../../db/long-reads.ts';
import type { Db } from '../../db/tables.ts';
import { whereActive } from '../../rules/active-licenses.ts';
import { clients, countEach, countMonths, eachOf } from '../figures/counting.ts';
import { lastMonths } from '../figures/periods.ts';

export type ClientStatistics = z.infer<typeof clientStatistics>['statistics'];

const TOP_CLIENTS = 10;

/**
 * Counts clients by status and type, by their licences, and by month of creation (SEED-7.6-03). An active licence has
 * status 'active' and is not past its end; months are local, the last twelve.
 */
export async function countClients(db: Db, now: Date, timeZone: string): Promise<ClientStatistics> {
  const by_status = await countEach(
    db,
    eachOf(CLIENT_STATUSES, (status) => keptCount(db, { table: 'clients', status })),
  );
  const by_type = await countEach(
    db,
    eachOf(CLIENT_TYPES, (kind) => keptCount(db, { table: 'clients', kind })),
  );
  return {
    total: CLIENT_STATUSES.reduce((total, status) => total + by_status[status], 0),
    by_status,
    by_type,
    ...(await countHolders(db, now)),
    new_by_month: await countMonths(db, lastMonths(now, timeZone), ({ since, until }) =>
      clients(db).where('created_at', '>=', since).where('created_at', '<', until),
    ),
    top_clients: await listTopClients(db),
    last_updated: now.toISOString(),
  };
}

/**
 * Counts clients with an active licence and clients without any licence. It reads the licences once, in the order of
 * their clients, for one range of clients at a time.
 */
async function countHolders(
  db: Db,
  now: Date,
): Promise<Pick<ClientStatistics, 'with_active_licenses' | 'without_licenses'>> {
  const holders = { with_active_licenses: 0, without_licenses: 0 };
  for await (const { after, upTo } of idRanges(db, 'clients')) {
    const perClient = db
      .selectFrom('licenses')
      .where('client_id', '>', after)
      .where('client_id', '<=', upTo)
      .groupBy('client_id')
      .select((eb) => eb.fn.countAll<number>().filterWhere(whereActive(now.toISOString())).as('active'))
      .as('per_client');
    const counted = await db
      .selectFrom(perClient)
      .select((eb) => [
        eb.fn.countAll<number>().as('holders'),
        eb.fn.countAll<number>().filterWhere('active', '>', 0).as('active'),
        eb
          .selectFrom('clients')
          .where('clients.id', '>', after)
          .where('clients.id', '<=', upTo)
          .select((all) => all.fn.countAll<number>().as('n'))
          .as('all'),
      ])
      .executeTakeFirstOrThrow();
    holders.with_active_licenses += counted.active;
    holders.without_licenses += (counted.all ?? 0) - counted.holders;
  }
  return holders;
}

/** The clients with the most licences; ties are in the order of creation. */
async function listTopClients(db: Db): Promise<ClientStatistics['top_clients']> {
  const top = db
    .selectFrom('licenses_of_clients')
    .select(['client_id', 'n as license_count'])
    .where('n', '>', 0)
    .orderBy('n', 'desc')
    .orderBy('client_id')
    .limit(TOP_CLIENTS);
  return db
    .selectFrom(top.as('top'))
    .innerJoin('clients', 'clients.id', 'top.client_id')
    .select(['clients.id', 'clients.name', 'top.license_count'])
    .orderBy('top.license_count', 'desc')
    .orderBy('clients.id')
    .execute();
}
