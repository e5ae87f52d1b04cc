import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Currency } from '../../../contract/base/money.ts';
import { afterDays } from '../../../contract/base/time.ts';
import {
  REPORT_RISK_DAYS,
  REPORT_ROWS_MAX,
  REPORT_SILENT_DAYS,
  RISK_REASONS,
  type RiskReason,
} from '../../../contract/figures/reports.ts';
import { readsInProcess } from '../../db/dialect.ts';
import { idRanges } from '../../db/long-reads.ts';
import { testedOnRow } from '../../db/row-tests.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { allOf } from '../../lists/filters.ts';
import type { Period } from '../figures/periods.ts';
import { signalWithin } from '../programs/signal-within.ts';
import type { Filters } from './in-currencies.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of days whose sales are read at a time. Periods longer than two years are read in STEPS_MAX steps. */
const STEP_DAYS = 14;
const STEPS_MAX = 52;

type Risk = {
  client: number;
  currency: Currency;
  reason: RiskReason;
  licenses: number;
  ends: string;
  cents: number;
};

export type ClientFigures = {
  countries: { country: string; clients: number }[];
  /** The listed clients at risk, and how many there are in all. */
  risks: Risk[];
  riskClients: number;
};

/** Clients by country, and clients at risk. It reads all clients, and the licences that end around now. */
export async function measureClients(
  db: Db,
  now: Date,
  timeZone: string,
  filters: Filters,
): Promise<ClientFigures> {
  const risks = await findRisks(db, now, timeZone, filters);
  return {
    countries: await countCountries(db, filters),
    risks: mostOfEach(risks, REPORT_ROWS_MAX.at_risk),
    riskClients: new Set(risks.map(({ client }) => client)).size,
  };
}

type Licenses<Row> = SelectQueryBuilder<Tables, 'licenses', Row>;

function within<Row>(licenses: Licenses<Row>, { software, currency }: Filters): Licenses<Row> {
  let rows = licenses;
  if (software !== null) rows = rows.where('licenses.software_id', '=', software);
  if (currency !== null) rows = rows.where('licenses.currency', '=', currency);
  return rows;
}

/** A condition on software and currency, only tested on rows that another condition of the statement finds. */
const isOf = (table: 'licenses' | 'license_terms', { software, currency }: Filters) =>
  allOf([
    ...(software === null ? [] : [testedOnRow(sql`${sql.ref(`${table}.software_id`)} = ${software}`)]),
    ...(currency === null ? [] : [testedOnRow(sql`${sql.ref(`${table}.currency`)} = ${currency}`)]),
  ]);

async function countCountries(db: Db, filters: Filters): Promise<ClientFigures['countries']> {
  const counts = new Map<string, number>();
  for await (const { after, upTo } of idRanges(db, 'clients')) {
    let clients = db.selectFrom('clients').where('clients.id', '>', after).where('clients.id', '<=', upTo);
    if (filters.software !== null || filters.currency !== null) {
      clients = clients.where(sql<SqlBool>`exists (select 1 from licenses
        where licenses.client_id = clients.id and ${isOf('licenses', filters)})`);
    }
    const rows = await clients
      .groupBy('country')
      .select((eb) => ['country', eb.fn.countAll<number>().as('clients')])
      .execute();
    for (const row of rows) counts.set(row.country, (counts.get(row.country) ?? 0) + row.clients);
  }
  return [...counts]
    .map(([country, clients]) => ({ country, clients }))
    .sort((a, b) => b.clients - a.clients || (a.country < b.country ? -1 : 1));
}

/** Active licences that ended lately, or that end soon and have no machine that calls; by client and currency. */
async function findRisks(db: Db, now: Date, timeZone: string, filters: Filters): Promise<Risk[]> {
  const hasSignal = sql<SqlBool>`exists (select 1 from installations
    where installations.license_id = licenses.id and ${signalWithin(REPORT_SILENT_DAYS, now)})`;
  // The position of the reason in RISK_REASONS.
  const reason = sql<number | null>`case when licenses.expiry_date < ${now.toISOString()} then 0
    when licenses.current_installations = 0 then 1 when not ${hasSignal} then 2 end`;
  const risks = new Map<string, Risk>();
  // One day at a time if statements run in this process.
  const length = readsInProcess(db) ? 1 : 2 * REPORT_RISK_DAYS + 1;
  for (let day = -REPORT_RISK_DAYS; day <= REPORT_RISK_DAYS; day += length) {
    await letOthersRun();
    const ending = within(db.selectFrom('licenses'), filters)
      .where('licenses.status', '=', 'active')
      // Who leaves a courtesy leaves no money (MONEY-09).
      .where(testedOnRow(sql`licenses.complimentary = false`))
      .where('licenses.expiry_date', '>=', afterDays(now, day - 1, timeZone))
      .where('licenses.expiry_date', '<', afterDays(now, day + length - 1, timeZone))
      .select(['client_id', 'currency', 'expiry_date', 'price_cents', reason.as('reason')]);
    const rows = await db
      .selectFrom(ending.as('ending'))
      .where('reason', 'is not', null)
      .groupBy(['client_id', 'currency'])
      .select((eb) => [
        'client_id as client',
        'currency',
        eb.fn.min<number>('reason').as('reason'),
        eb.fn.countAll<number>().as('licenses'),
        eb.fn.min<string>('expiry_date').as('ends'),
        eb.fn.sum<number>('price_cents').as('cents'),
      ])
      .execute();
    for (const row of rows) {
      const key = `${row.client} ${row.currency}`;
      const known = risks.get(key);
      const own = RISK_REASONS[row.reason]!;
      if (!known) risks.set(key, { ...row, reason: own });
      else {
        // The days are read in order, so the first end is already stored.
        known.licenses += row.licenses;
        known.cents += row.cents;
        if (RISK_REASONS.indexOf(own) < RISK_REASONS.indexOf(known.reason)) known.reason = own;
      }
    }
  }
  return [...risks.values()];
}

export type Bought = { client: number; currency: Currency; cents: number };

/**
 * The clients whose licences sold most in a period. Every sale in it is read from an index. With several steps the sums
 * of all clients are added up here; with one step the database returns only the first clients.
 */
export async function findTop(db: Db, period: Period, filters: Filters): Promise<Bought[]> {
  const sums = new Map<Currency, Map<number, number>>();
  const steps = await stepsOf(db, period);
  for (const step of steps) {
    await letOthersRun();
    const bought = boughtWithin(db, step, filters);
    const rows = await (steps.length === 1 ? firstOfEach(db, bought) : bought).execute();
    for (const { client, currency, cents } of rows) {
      const own = sums.get(currency) ?? new Map<number, number>();
      sums.set(currency, own.set(client, (own.get(client) ?? 0) + cents));
    }
  }
  const bought = [...sums].flatMap(([currency, own]) =>
    [...own].map(([client, cents]) => ({ client, currency, cents })),
  );
  return mostOfEach(bought, REPORT_ROWS_MAX.top);
}

const boughtWithin = (db: Db, { since, until }: Period, filters: Filters) =>
  db
    .selectFrom('license_terms')
    .innerJoin('licenses', 'licenses.id', 'license_terms.license_id')
    .where('license_terms.created_at', '>=', since)
    .where('license_terms.created_at', '<', until)
    .where('license_terms.is_counted', '=', true)
    .where(isOf('license_terms', filters))
    .groupBy(['licenses.client_id', 'license_terms.currency'])
    .select((eb) => [
      'licenses.client_id as client',
      'license_terms.currency',
      eb.fn.sum<number>('license_terms.price_cents').as('cents'),
    ]);

/** The rows that {@link mostOfEach} keeps, chosen by the database. */
const firstOfEach = (db: Db, bought: ReturnType<typeof boughtWithin>) =>
  db
    .selectFrom(
      db
        .selectFrom(bought.as('bought'))
        .select((eb) => [
          'client',
          'currency',
          'cents',
          eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('currency').orderBy('cents', 'desc').orderBy('client'))
            .as('place'),
        ])
        .as('placed'),
    )
    .where('place', '<=', REPORT_ROWS_MAX.top)
    .select(['client', 'currency', 'cents']);

/** The part of a period that has sales, in steps if statements run in this process. */
async function stepsOf(db: Db, { since, until }: Period): Promise<Period[]> {
  if (!readsInProcess(db)) return [{ since, until }];
  const within = db
    .selectFrom('license_terms')
    .where('created_at', '>=', since)
    .where('created_at', '<', until);
  // As two queries each takes one step in the index.
  const { first, last } = await db
    .selectNoFrom([
      within.select((eb) => eb.fn.min<string | null>('created_at').as('at')).as('first'),
      within.select((eb) => eb.fn.max<string | null>('created_at').as('at')).as('last'),
    ])
    .executeTakeFirstOrThrow();
  if (first === null || last === null) return [];
  const length = Math.max(STEP_DAYS * DAY_MS, (Date.parse(last) - Date.parse(first)) / STEPS_MAX);
  const steps: Period[] = [];
  for (let from = Date.parse(first); from <= Date.parse(last); from += length) {
    const at = (time: number) => new Date(time).toISOString();
    steps.push({ since: at(from), until: at(Math.min(from + length, Date.parse(last) + 1)) });
  }
  return steps;
}

/** The first rows of each currency, by amount; ties are in the order of the clients' creation. */
function mostOfEach<Row extends { client: number; currency: Currency; cents: number }>(
  rows: Row[],
  count: number,
): Row[] {
  return [...Map.groupBy(rows, ({ currency }) => currency).values()].flatMap((own) =>
    own.sort((a, b) => b.cents - a.cents || a.client - b.client).slice(0, count),
  );
}
