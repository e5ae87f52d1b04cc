import { fromMinorUnits } from '../../../contract/base/money.ts';
import { type ClientsReport, REPORT_ROWS_MAX } from '../../../contract/figures/reports.ts';
import type { AppContext } from '../../context.ts';
import { isAmong } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { currencyOrder } from '../figures/by-currency.ts';
import type { DayRange } from '../figures/periods.ts';
import { storedOrLive } from '../figures/stored-figures.ts';
import type { Asked } from './in-currencies.ts';
import { CLIENTS, TOP } from './report-figures.ts';

/** The report on clients: by country, those who bought most, and those who may leave. */
export async function reportClients(context: AppContext, range: DayRange, asked: Asked, db: Db) {
  const { software, currency } = asked;
  const base = await storedOrLive(context, CLIENTS, { software, currency }, db);
  const best = await storedOrLive(context, TOP, { software, currency, range }, db);
  const { countries, risks, riskClients } = base.figures;
  const names = await namesOf(db, [...risks, ...best.figures]);
  const named = <Row extends { client: number }>(rows: Row[]) =>
    // A client who was deleted after the figures were computed has no name, and is left out.
    rows.flatMap(({ client, ...row }) => {
      const name = names.get(client);
      return name === undefined ? [] : [{ client: { id: client, name }, ...row }];
    });
  return {
    as_of: base.as_of < best.as_of ? base.as_of : best.as_of,
    clients: countries.reduce((sum, { clients }) => sum + clients, 0),
    by_country: countries.slice(0, REPORT_ROWS_MAX.countries),
    by_country_is_complete: countries.length <= REPORT_ROWS_MAX.countries,
    top: named(best.figures.sort(currencyOrder(asked.first))).map(({ client, cents, currency: own }) => ({
      client,
      amount: fromMinorUnits(cents, own),
      currency: own,
    })),
    at_risk: named(risks.sort(currencyOrder(asked.first))).map(({ cents, ...risk }) => ({
      ...risk,
      amount: fromMinorUnits(cents, risk.currency),
    })),
    at_risk_clients: riskClients,
  } satisfies Partial<ClientsReport>;
}

async function namesOf(db: Db, rows: { client: number }[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ client }) => client))];
  const clients = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where((eb) => isAmong(db, eb.ref('id'), ids))
    .execute();
  return new Map(clients.map(({ id, name }) => [id, name]));
}
