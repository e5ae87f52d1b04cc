import type { Currency } from '../../contract/base/money.ts';
import { CLIENT_STATUSES, CLIENT_TYPES } from '../../contract/clients/clients.fields.ts';
import type { Today } from '../../contract/figures/today.ts';
import { LICENSE_CATEGORIES, LICENSE_STATUSES } from '../../contract/licenses/licenses.fields.ts';
import type { LicenseRecord, OutboxRow } from '../../server/db/tables.ts';
import type { Rows } from './statistics-samples.ts';

/** An independent computation of the statistics, row by row with loops, to compare with the server's. */

const DAY = 24 * 60 * 60 * 1000;

/** The local day of an instant, from the platform's Swedish date format, which is AAAA-MM-DD. */
export const localDate = (instant: string | number, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(instant));

const plusDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);

function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let [year, month] = first.split('-').map(Number) as [number, number]; ; month += 1) {
    if (month > 12) [year, month] = [year + 1, 1];
    const name = `${year}-${String(month).padStart(2, '0')}`;
    if (name > last) return months;
    months.push(name);
  }
}

const tally = <Row>(rows: Row[], keyOf: (row: Row) => string, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, rows.filter((row) => keyOf(row) === key).length]));

const percent = (before: number, after: number) =>
  before === 0 ? null : Math.round(((after - before) / before) * 1000) / 10;

const byNumber =
  <Row extends { id: number | null }>(number: (row: Row) => number) =>
  (a: Row, b: Row) =>
    number(b) - number(a) || (a.id ?? 0) - (b.id ?? 0);

/** The number of minor units in one unit of a currency. */
const unitsOf = (currency: Currency) => (currency === 'CLP' ? 1 : 100);

const cents = (licenses: LicenseRecord[]) => licenses.reduce((sum, { price_cents }) => sum + price_cents, 0);

/** The prices of the licences in one currency. */
const amountIn = (currency: Currency, licenses: LicenseRecord[]) =>
  cents(licenses.filter((license) => license.currency === currency)) / unitsOf(currency);

/** The currencies that occur, in the contract's order with the vendor's currency first. */
function currenciesOf(licenses: LicenseRecord[], first: Currency): Currency[] {
  const all = [first, 'MXN', 'ARS', 'USD', 'COP', 'CLP', 'PEN', 'BRL', 'UYU', 'EUR'] as const;
  return [...new Set(all)].filter((currency) => licenses.some((license) => license.currency === currency));
}

export function expectedStatistics(
  rows: Rows,
  nowText: string,
  range: { start_date: string; end_date: string },
  timeZone: string,
  currency: Currency,
) {
  const now = Date.parse(nowText);
  const today = localDate(now, timeZone);
  const monthOf = (instant: string) => localDate(instant, timeZone).slice(0, 7);
  const endsAt = ({ expiry_date }: LicenseRecord) =>
    expiry_date === null ? Number.POSITIVE_INFINITY : Date.parse(expiry_date);
  const isActiveAt = (license: LicenseRecord, moment: number) =>
    license.status === 'active' && endsAt(license) >= moment;
  const isTrial = ({ license_type, status }: LicenseRecord) => license_type === 'trial' || status === 'trial';
  const isIn = (instant: string) => {
    const day = localDate(instant, timeZone);
    return day >= range.start_date && day <= range.end_date;
  };

  const then = now - 30 * DAY;
  const thereThen = (row: { created_at: string }) => Date.parse(row.created_at) <= then;
  const active = rows.licenses.filter((license) => isActiveAt(license, now));
  const activeThen = rows.licenses.filter(
    (license) => Date.parse(license.issued_date) <= then && isActiveAt(license, then),
  );
  const trial = rows.licenses.filter(isTrial);
  const summary = {
    active_licenses: active.length,
    total_clients: rows.clients.length,
    total_licenses: rows.licenses.length,
    trial_licenses: trial.length,
    total_software: rows.software.length,
    last_updated: nowText,
    changes: {
      active_licenses: percent(activeThen.length, active.length),
      total_clients: percent(rows.clients.filter(thereThen).length, rows.clients.length),
      trial_licenses: percent(trial.filter(thereThen).length, trial.length),
      total_software: percent(rows.software.filter(thereThen).length, rows.software.length),
    },
    differences: {
      active_licenses: active.length - activeThen.length,
      total_clients: rows.clients.length - rows.clients.filter(thereThen).length,
      trial_licenses: trial.length - trial.filter(thereThen).length,
      total_software: rows.software.length - rows.software.filter(thereThen).length,
    },
  };

  const [year, month] = today.split('-').map(Number) as [number, number];
  const eleventhBefore = month === 12 ? `${year}-01` : `${year - 1}-${String(month + 1).padStart(2, '0')}`;
  const lastYear = monthsBetween(eleventhBefore, today.slice(0, 7));
  const typesAndNone = [...rows.types, { id: null, name: 'Sin tipo' }];
  const licenses = {
    total: rows.licenses.length,
    active: active.length,
    expired: rows.licenses.filter((license) => license.status === 'expired' || endsAt(license) < now).length,
    by_status: tally(rows.licenses, (license) => license.status, LICENSE_STATUSES),
    by_type: tally(rows.licenses, (license) => license.license_type, LICENSE_CATEGORIES),
    by_license_type: typesAndNone
      .map(({ id, name }) => ({
        id,
        name,
        count: rows.licenses.filter((license) => license.license_type_id === id).length,
      }))
      .filter(({ count }) => count > 0)
      .sort(byNumber(({ count }) => count)),
    by_software: rows.software
      .map(({ id, name, version }) => ({
        id,
        name,
        version,
        count: rows.licenses.filter((license) => license.software_id === id).length,
      }))
      .filter(({ count }) => count > 0)
      .sort(byNumber(({ count }) => count)),
    expiring_30_days: active.filter(
      ({ expiry_date }) => expiry_date !== null && localDate(expiry_date, timeZone) <= plusDays(today, 30),
    ).length,
    issued_by_month: lastYear.map((month) => ({
      month,
      count: rows.licenses.filter((license) => monthOf(license.issued_date) === month).length,
    })),
    last_updated: nowText,
  };

  const clients = {
    total: rows.clients.length,
    by_status: tally(rows.clients, (client) => client.status, CLIENT_STATUSES),
    by_type: tally(rows.clients, (client) => client.client_type, CLIENT_TYPES),
    with_active_licenses: new Set(active.map((license) => license.client_id)).size,
    without_licenses: rows.clients.filter(
      ({ id }) => !rows.licenses.some((license) => license.client_id === id),
    ).length,
    new_by_month: lastYear.map((month) => ({
      month,
      count: rows.clients.filter((client) => monthOf(client.created_at) === month).length,
    })),
    top_clients: rows.clients
      .map(({ id, name }) => ({
        id,
        name,
        license_count: rows.licenses.filter((license) => license.client_id === id).length,
      }))
      .filter(({ license_count }) => license_count > 0)
      .sort(byNumber(({ license_count }) => license_count))
      .slice(0, 10),
    last_updated: nowText,
  };

  const sold = rows.licenses.filter((license) => license.status !== 'cancelled' && isIn(license.issued_date));
  const revenueIn = (currency: Currency) => {
    const own = sold.filter((license) => license.currency === currency);
    const named = (
      all: { id: number | null; name: string }[],
      idOf: (license: LicenseRecord) => number | null,
    ) =>
      all
        .map(({ id, name }) => ({ id, name, sales: own.filter((license) => idOf(license) === id) }))
        .filter(({ sales }) => sales.length > 0)
        .map(({ id, name, sales }) => ({ id, name, total: cents(sales) / unitsOf(currency) }))
        .sort(byNumber(({ total }) => total));
    return {
      currency,
      total: cents(own) / unitsOf(currency),
      license_count: own.length,
      average_price: own.length === 0 ? 0 : Math.round(cents(own) / own.length) / unitsOf(currency),
      by_month: monthsBetween(range.start_date.slice(0, 7), range.end_date.slice(0, 7)).map((month) => {
        const sales = own.filter((license) => monthOf(license.issued_date) === month);
        return { month, total: cents(sales) / unitsOf(currency), count: sales.length };
      }),
      by_software: named(rows.software, (license) => license.software_id),
      by_license_type: named(typesAndNone, (license) => license.license_type_id),
    };
  };
  const revenue = {
    ...range,
    ...revenueIn(currency),
    by_currency: currenciesOf(sold, currency).map(revenueIn),
  };

  const softwareOf = new Map(rows.licenses.map((license) => [license.id, license.software_id]));
  const isBeating = ({ last_heartbeat }: { last_heartbeat: string | null }) =>
    last_heartbeat !== null && now - Date.parse(last_heartbeat) < DAY;
  const usable = rows.licenses.filter(
    (license) => ['active', 'trial'].includes(license.status) && endsAt(license) >= now,
  );
  const seats = usable.reduce((sum, license) => sum + license.max_installations, 0);
  const used = rows.installations.filter(({ license_id }) =>
    usable.some(({ id }) => id === license_id),
  ).length;
  const beating = rows.installations.filter(isBeating).length;
  const usage = {
    ...range,
    total_installations: rows.installations.length,
    active_installations: beating,
    inactive_installations: rows.installations.length - beating,
    never_reported: rows.installations.filter(({ last_heartbeat }) => last_heartbeat === null).length,
    new_installations: rows.installations.filter(({ installation_date }) => isIn(installation_date)).length,
    seats_total: seats,
    seats_used: used,
    utilization_percent: seats === 0 ? 0 : Math.round((used / seats) * 1000) / 10,
    by_software: rows.software
      .map(({ id, name }) => {
        const own = rows.installations.filter(({ license_id }) => softwareOf.get(license_id) === id);
        return { id, name, installations: own.length, active: own.filter(isBeating).length };
      })
      .filter(({ installations }) => installations > 0)
      .sort(byNumber(({ installations }) => installations)),
  };
  return { summary, licenses, clients, revenue, usage };
}

/** The figures for today, computed row by row. */
export function expectedToday(
  rows: Rows,
  outbox: Pick<OutboxRow, 'id' | 'license_id' | 'status'>[],
  nowText: string,
  timeZone: string,
  currency: Currency,
): Today {
  const now = Date.parse(nowText);
  const ends = ({ expiry_date }: LicenseRecord) =>
    expiry_date === null ? Number.POSITIVE_INFINITY : Date.parse(expiry_date);
  const expiring = (days: number) => {
    const ending = rows.licenses.filter(
      (license) =>
        ['active', 'trial'].includes(license.status) &&
        ends(license) >= now &&
        ends(license) <= now + days * DAY,
    );
    return {
      days,
      count: ending.length,
      amount: amountIn(currency, ending),
      by_currency: currenciesOf(ending, currency).map((one) => ({
        currency: one,
        count: ending.filter((license) => license.currency === one).length,
        amount: amountIn(one, ending),
      })),
    };
  };
  const month = localDate(now, timeZone).slice(0, 7);
  const [year, number] = month.split('-').map(Number) as [number, number];
  const before = number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
  const soldIn = (requested: string) =>
    rows.licenses.filter(
      ({ status, issued_date }) =>
        status !== 'cancelled' && localDate(issued_date, timeZone).slice(0, 7) === requested,
    );
  const [current, last] = [soldIn(month), soldIn(before)];
  const dayOf = (instant: string | number) => localDate(instant, timeZone).slice(8);
  const lastToDate = last.filter(({ issued_date }) => dayOf(issued_date) <= dayOf(now));
  const compare = (one: Currency) => ({
    this_month: amountIn(one, current),
    last_month: amountIn(one, last),
    last_month_to_date: amountIn(one, lastToDate),
  });
  const lastMailOf = (id: number) =>
    outbox.filter(({ license_id }) => license_id === id).sort((a, b) => b.id - a.id)[0];
  return {
    as_of: nowText,
    currency,
    expiring: [expiring(7), expiring(30)],
    expired_recently: {
      days: 30,
      count: rows.licenses.filter(
        (license) =>
          ['active', 'trial', 'expired'].includes(license.status) &&
          ends(license) < now &&
          localDate(ends(license), timeZone) >= localDate(now - 30 * DAY, timeZone),
      ).length,
    },
    failed_mails: rows.licenses.filter(({ id }) => lastMailOf(id)?.status === 'failed').length,
    // The sample has none; portal.test.ts counts them.
    client_requests: 0,
    payment_reviews: 0,
    seats_full: rows.licenses.filter(
      (license) =>
        (license.status === 'active' || license.status === 'trial') &&
        ends(license) >= now &&
        license.current_installations >= license.max_installations,
    ).length,
    revenue: {
      ...compare(currency),
      by_currency: currenciesOf([...current, ...last], currency).map((one) => ({
        currency: one,
        ...compare(one),
      })),
    },
    // The sample has no payments; money.test.ts has.
    money: [...new Set([currency, ...currenciesOf([...current, ...lastToDate], currency)])].map((one) => ({
      currency: one,
      sold: amountIn(one, current),
      sold_last_month_to_date: amountIn(one, lastToDate),
      collected: 0,
      receivable: 0,
      receivable_count: 0,
    })),
    setup: {
      software: rows.software.length,
      license_types: rows.types.length,
      clients: rows.clients.length,
      licenses: rows.licenses.length,
      installations: rows.installations.length,
      // The test's server has a folder for mails, default settings and one person.
      company: false,
      mail: false,
      payments: false,
      team: false,
      skipped: [],
    },
  };
}
