import { CURRENCIES, type Currency } from '../../contract/base/money.ts';
import type { LicenseRecord } from '../../server/db/tables.ts';
import { activeTimes, endOfTrial, isTrial } from './license-history.ts';
import type { Asked, World } from './reports-world.ts';
import { localDate } from './statistics-oracle.ts';

/**
 * An independent computation of the recurring revenue (REPORT-05): for the last day of each month it asks every term of
 * every client whether it holds on that day.
 */

const DAY = 24 * 60 * 60 * 1000;
const unitsOf = (currency: Currency) => (currency === 'CLP' ? 1 : 100);
const monthAfter = (month: string, steps: number) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + steps, 1))
    .toISOString()
    .slice(0, 7);
const lastOf = (month: string) => {
  const after = Date.parse(`${monthAfter(month, 1)}-01`);
  return new Date(after - DAY).toISOString().slice(0, 10);
};
const percent = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10;

type Term = World['terms'][number];

export function expectedRecurring(world: World, asked: Asked) {
  const { timeZone, software, currency } = asked;
  const today = localDate(Date.parse(asked.now), timeZone);
  /** The day whose end is the first one after an instant; the last second of a day belongs to the next. */
  const dayFrom = (instant: string | number) =>
    localDate(new Date(new Date(instant).getTime() + 1000).getTime(), timeZone);

  const added = (term: Term) => term.kind === 'maintenance' || term.kind === 'seats';

  /** What a term of a licence is worth on a day, in minor units. */
  function worth(license: LicenseRecord, term: Term, terms: Term[], day: string): number {
    if (license.activate_by !== null || term.complimentary || term.starts === null) return 0;
    const observed = world.observed.get(license.id)!;
    const later = terms.filter((other) => other.id > term.id && !added(other));
    if (!added(term) && later.length === 0 && isTrial(license)) return 0;
    if (term.kind === 'issue' && isTrial(observed[0]!)) {
      const { converted } = endOfTrial(observed);
      if (converted === null || day < dayFrom(converted)) return 0;
      if (later.some(({ created_at }) => created_at <= converted)) return 0;
    }
    if (license.status === 'cancelled') {
      const last = activeTimes(observed).at(-1);
      if (!last || day >= dayFrom(last.to)) return 0;
    }
    if (day < dayFrom(term.starts)) return 0;
    if (term.kind !== 'maintenance' && later.some(({ starts }) => day >= dayFrom(starts!))) return 0;
    const lastDay = added(term) ? term.covers_until : term.ends && localDate(Date.parse(term.ends), timeZone);
    if (lastDay === null) return 0;
    // All ends are the last second of a day.
    if (day > lastDay) return 0;
    if (term.months !== null) return Math.round(term.price_cents / term.months);
    const days = Math.max(
      1,
      (Date.parse(lastDay) - Date.parse(localDate(Date.parse(term.starts), timeZone))) / DAY,
    );
    return Math.round(term.price_cents / (days / 30.4375));
  }

  const clients = world.clients.map(({ id }) => id);
  function amounts(one: Currency, day: string): Map<number, number> {
    const sums = new Map(clients.map((client) => [client, 0]));
    for (const license of world.licenses) {
      if (software !== null && license.software_id !== software) continue;
      const terms = world.terms.filter(({ license_id }) => license_id === license.id);
      for (const term of terms) {
        if (term.currency !== one) continue;
        sums.set(license.client_id, sums.get(license.client_id)! + worth(license, term, terms, day));
      }
    }
    return sums;
  }

  const months: string[] = [];
  for (let month = asked.from.slice(0, 7); month <= asked.to.slice(0, 7); month = monthAfter(month, 1))
    months.push(month);
  const earliest = world.terms.flatMap(({ starts }) => starts ?? []).sort()[0];
  const first = earliest === undefined ? months[0]! : [earliest.slice(0, 7), months[0]!].sort()[0]!;

  const rowsOf = (one: Currency) => {
    const rows = [];
    let before = new Map(clients.map((client) => [client, 0]));
    const hadAny = new Set<number>();
    for (let month = monthAfter(first, -1); month <= months.at(-1)!; month = monthAfter(month, 1)) {
      const now = amounts(one, lastOf(month) < today ? lastOf(month) : today);
      const row = {
        start: 0,
        new: 0,
        expansion: 0,
        contraction: 0,
        churned: 0,
        reactivated: 0,
        end: 0,
        clients: 0,
      };
      for (const client of clients) {
        const [was, is] = [before.get(client)!, now.get(client)!];
        row.start += was;
        row.end += is;
        if (is > 0) row.clients += 1;
        if (was === 0 && is > 0) row[hadAny.has(client) ? 'reactivated' : 'new'] += is;
        else if (was > 0 && is === 0) row.churned += was;
        else if (is > was) row.expansion += is - was;
        else row.contraction += was - is;
        if (is > 0) hadAny.add(client);
      }
      before = now;
      if (month >= months[0]!) rows.push({ month, row });
    }
    return rows;
  };

  const own = currency ?? asked.own;
  const shown = [own, ...(currency === null ? CURRENCIES.filter((one) => one !== own) : [])]
    .map((one) => ({ one, rows: rowsOf(one) }))
    .filter(
      ({ one, rows }) => one === own || rows.some(({ row }) => Object.values(row).some((n) => n !== 0)),
    );
  return {
    success: true,
    as_of: asked.now,
    from: asked.from,
    to: asked.to,
    software,
    currency,
    months: months.flatMap((month, index) =>
      shown.map(({ one, rows }) => {
        const { row } = rows[index]!;
        const units = unitsOf(one);
        return {
          month,
          from: `${month}-01`,
          to: month === today.slice(0, 7) ? today : lastOf(month),
          currency: one,
          start: row.start / units,
          new: row.new / units,
          expansion: row.expansion / units,
          contraction: row.contraction / units,
          churned: row.churned / units,
          reactivated: row.reactivated / units,
          end: row.end / units,
          clients: row.clients,
          arpa: row.clients === 0 ? 0 : Math.round(row.end / row.clients) / units,
        };
      }),
    ),
    totals: shown.map(({ one, rows }) => {
      const of = (name: 'expansion' | 'contraction' | 'churned' | 'reactivated') =>
        rows.reduce((sum, { row }) => sum + row[name], 0);
      const start = rows[0]!.row.start;
      const kept = start - of('contraction') - of('churned');
      return {
        currency: one,
        grr: percent(kept, start),
        nrr: percent(kept + of('expansion') + of('reactivated'), start),
      };
    }),
  };
}
