import { type SqlBool, sql } from 'kysely';
import { HOLDING_STATUSES } from '../../../contract/base/limits.ts';
import type { Currency } from '../../../contract/base/money.ts';
import { REPORT_SILENT_DAYS } from '../../../contract/figures/reports.ts';
import { idRanges } from '../../db/long-reads.ts';
import type { Db } from '../../db/tables.ts';
import { hasNotEnded } from '../../rules/active-licenses.ts';
import { signalWithin } from '../programs/signal-within.ts';

/** Seats and machines of one software in one currency. */
export type Use = {
  software: number;
  currency: Currency;
  seats_total: number;
  seats_used: number;
  installations: number;
  silent: number;
  unused: number;
  /** The prices of the unused licences, in minor units. */
  unused_cents: number;
  full: number;
  /** Its machines by reported version ('' for none), most machines first, at most VERSIONS_KEPT. */
  versions?: VersionCount[];
};
export type VersionCount = { version: string; installations: number };

/**
 * A limit, because programs choose their version text, and somebody could send a new one with each call. Normally a
 * software has few.
 */
const VERSIONS_KEPT = 200;

const NONE = {
  seats_total: 0,
  seats_used: 0,
  installations: 0,
  silent: 0,
  unused: 0,
  unused_cents: 0,
  full: 0,
};

/** Adds the figures of some rows. */
export function sumUse(rows: Use[]): typeof NONE {
  const sum = { ...NONE };
  for (const row of rows)
    for (const name of Object.keys(NONE) as (keyof typeof NONE)[]) sum[name] += row[name];
  return sum;
}

type Counted = Partial<Omit<Use, 'versions'>> & Pick<Use, 'software' | 'currency'>;

/**
 * Counts seats and machines by software and currency, so that a single result serves all filters. It reads all
 * licences and installations, one range of ids at a time. An index for it would make every activation slower.
 */
export async function measureUse(db: Db, now: Date): Promise<Use[]> {
  const uses = new Map<string, Use>();
  const versions = new Map<Use, Map<string, number>>();
  const add = ({ software, currency, ...counted }: Counted) => {
    const key = `${software} ${currency}`;
    const use = uses.get(key) ?? { software, currency, ...NONE };
    uses.set(key, use);
    for (const [name, count] of Object.entries(counted)) use[name as keyof typeof NONE] += count;
    return use;
  };
  for await (const { after, upTo } of idRanges(db, 'licenses')) {
    (await usable(db, now, after, upTo)).forEach(add);
  }
  for await (const { after, upTo } of idRanges(db, 'installations')) {
    for (const { app_version, ...counted } of await machines(db, now, after, upTo)) {
      const use = add(counted);
      const own = versions.get(use) ?? new Map<string, number>();
      versions.set(use, own.set(app_version, (own.get(app_version) ?? 0) + counted.installations));
    }
  }
  for (const [use, own] of versions) use.versions = mostUsed(own).slice(0, VERSIONS_KEPT);
  return [...uses.values()].sort((a, b) => a.software - b.software || (a.currency < b.currency ? -1 : 1));
}

/** Most machines first; ties by the version text. */
export const mostUsed = (counts: ReadonlyMap<string, number>): VersionCount[] =>
  [...counts]
    .map(([version, installations]) => ({ version, installations }))
    .sort((a, b) => b.installations - a.installations || (a.version < b.version ? -1 : 1));

const usable = (db: Db, now: Date, after: number, upTo: number) =>
  db
    .selectFrom('licenses')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where('status', 'in', HOLDING_STATUSES)
    .where(hasNotEnded(now.toISOString()))
    .groupBy(['software_id', 'currency'])
    .select((eb) => {
      const isUnused = eb.and([eb('status', '=', 'active'), eb('current_installations', '=', 0)]);
      return [
        'software_id as software',
        'currency',
        eb.fn.sum<number>('max_installations').as('seats_total'),
        eb.fn.sum<number>('current_installations').as('seats_used'),
        eb.fn.countAll<number>().filterWhere(isUnused).as('unused'),
        eb.fn.coalesce(eb.fn.sum<number>('price_cents').filterWhere(isUnused), eb.lit(0)).as('unused_cents'),
        eb.fn
          .countAll<number>()
          .filterWhere('current_installations', '>=', eb.ref('max_installations'))
          .as('full'),
      ];
    })
    .execute();

const machines = (db: Db, now: Date, after: number, upTo: number) =>
  db
    .selectFrom('installations')
    .innerJoin('licenses', 'licenses.id', 'installations.license_id')
    .where('installations.id', '>', after)
    .where('installations.id', '<=', upTo)
    .groupBy(['licenses.software_id', 'licenses.currency', 'installations.app_version'])
    .select((eb) => [
      'licenses.software_id as software',
      'licenses.currency',
      'installations.app_version',
      eb.fn.countAll<number>().as('installations'),
      eb.fn
        .countAll<number>()
        .filterWhere(sql<SqlBool>`not ${signalWithin(REPORT_SILENT_DAYS, now)}`)
        .as('silent'),
    ])
    .execute();
