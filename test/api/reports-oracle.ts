import { CURRENCIES, type Currency } from '../../contract/base/money.ts';
import { REPORT_RISK_DAYS, REPORT_ROWS_MAX, REPORT_SILENT_DAYS } from '../../contract/figures/reports.ts';
import type { InstallationRow, LicenseRecord } from '../../server/db/tables.ts';
import { activeTimes, endOfTrial, isTrial } from './license-history.ts';
import { expectedRecurring } from './recurring-oracle.ts';
import type { Asked, World } from './reports-world.ts';
import { localDate } from './statistics-oracle.ts';

/**
 * An independent computation of the reports, row by row with loops, from the observed states of each licence. Tests
 * compare it with the server's reports.
 */

const DAY = 24 * 60 * 60 * 1000;

const unitsOf = (currency: Currency) => (currency === 'CLP' ? 1 : 100);
const percent = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((part / whole) * 1000) / 10;
const sum = <Row>(rows: Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
const lengthOf = (month: string) =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
const monthAt = (month: string, steps: number) => {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + steps;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
};
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`;

type Month = { month: string; from: string; to: string };

function monthsOf({ from, to }: Pick<Asked, 'from' | 'to'>): Month[] {
  const months: Month[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = monthAt(month, 1)) {
    months.push({
      month,
      from: month === from.slice(0, 7) ? from : dayOf(month, 1),
      to: month === to.slice(0, 7) ? to : dayOf(month, lengthOf(month)),
    });
  }
  return months;
}

/**
 * The corresponding days of the month in the previous period, which is as many months earlier as the period is long.
 */
function daysBefore({ month, from, to }: Month, count: number): { from: string; to: string } {
  const other = monthAt(month, -count);
  const length = lengthOf(other);
  const isWholeEnd = Number(to.slice(8)) === lengthOf(month);
  return {
    from: dayOf(other, Math.min(Number(from.slice(8)), length)),
    to: dayOf(other, isWholeEnd ? length : Math.min(Number(to.slice(8)), length)),
  };
}

/** The rows by month and currency in the contract's order, and their sums. */
function table<Figures extends Record<string, number>>(
  asked: Asked,
  figuresOf: (month: Month, currency: Currency, index: number) => Figures,
) {
  const first = asked.currency ?? asked.own;
  const months = monthsOf(asked);
  const others = asked.currency === null ? CURRENCIES.filter((currency) => currency !== first) : [];
  const shown = [first, ...others].filter(
    (currency) =>
      currency === first ||
      months.some((month, index) => Object.values(figuresOf(month, currency, index)).some((n) => n !== 0)),
  );
  const rows = months.flatMap((month, index) =>
    shown.map((currency) => ({ ...month, currency, ...figuresOf(month, currency, index) })),
  );
  return { rows, shown };
}

export function expectedReports(world: World, asked: Asked) {
  const { timeZone, software, currency } = asked;
  const now = Date.parse(asked.now);
  const today = localDate(now, timeZone);
  const on = (instant: string | null, { from, to }: { from: string; to: string }) => {
    if (instant === null || Date.parse(instant) > now) return false;
    const day = localDate(instant, timeZone);
    return day >= from && day <= to;
  };
  const ofSoftware = (license: LicenseRecord) => software === null || license.software_id === software;
  const ofFilters = (license: LicenseRecord) =>
    ofSoftware(license) && (currency === null || license.currency === currency);
  const licenseOf = new Map(world.licenses.map((license) => [license.id, license]));
  const isSoldAsTrial = (id: number) => isTrial(world.observed.get(id)![0]!);
  const head = {
    success: true,
    as_of: asked.now,
    from: asked.from,
    to: asked.to,
    software,
    currency,
  };

  const soldOn = (days: { from: string; to: string }, one: Currency) =>
    world.terms.filter(({ license_id, currency: own, created_at, complimentary }) => {
      const license = licenseOf.get(license_id)!;
      return (
        !complimentary &&
        license.status !== 'cancelled' &&
        ofSoftware(license) &&
        own === one &&
        on(created_at, days)
      );
    });
  const count = monthsOf(asked).length;
  const amount = (terms: World['terms'], one: Currency) =>
    sum(terms, (term) => term.price_cents) / unitsOf(one);
  const salesOn = (days: Month, one: Currency) => {
    const sold = soldOn(days, one);
    const ofKind = (kind: string) =>
      amount(
        sold.filter((term) => term.kind === kind),
        one,
      );
    return {
      new: ofKind('issue'),
      renewal: ofKind('renewal'),
      // Seats that were sold until the end are in it too (MONEY-08).
      upgrade: ofKind('upgrade') + ofKind('seats'),
      maintenance: ofKind('maintenance'),
      total: amount(sold, one),
      previous: amount(soldOn(daysBefore(days, count), one), one),
      count: sold.length,
      // These histories have no payments; money.property.test.ts has.
      collected: 0,
    };
  };
  const sales = table(asked, salesOn);
  const before = monthsOf(asked).map((month) => daysBefore(month, count));
  const close = (n: number) => Math.round(n * 100) / 100;
  const revenue = {
    ...head,
    previous_from: before[0]!.from,
    previous_to: before.at(-1)!.to,
    months: sales.rows,
    totals: sales.shown.map((one) => {
      const own = sales.rows.filter((row) => row.currency === one);
      const total = close(sum(own, (row) => row.total));
      const previous = close(sum(own, (row) => row.previous));
      return {
        currency: one,
        new: close(sum(own, (row) => row.new)),
        renewal: close(sum(own, (row) => row.renewal)),
        upgrade: close(sum(own, (row) => row.upgrade)),
        maintenance: close(sum(own, (row) => row.maintenance)),
        total,
        previous,
        count: sum(own, (row) => row.count),
        collected: 0,
        change: previous === 0 ? null : Math.round(((total - previous) / previous) * 1000) / 10,
      };
    }),
  };

  const yearAgo = monthAt(today.slice(0, 7), -12);
  const sameDay = dayOf(yearAgo, Math.min(Number(today.slice(8)), lengthOf(yearAgo)));
  const rate_from = new Date(Date.parse(sameDay) + DAY).toISOString().slice(0, 10);
  const ended = world.terms.filter((term) => {
    const license = licenseOf.get(term.license_id)!;
    return (
      ofSoftware(license) &&
      (currency === null || term.currency === currency) &&
      !(term.kind === 'issue' && isSoldAsTrial(license.id)) &&
      !term.complimentary &&
      term.ends !== null &&
      Date.parse(term.ends) < now &&
      localDate(term.ends, timeZone) >= rate_from
    );
  });
  const renewed = ended.filter(({ id, license_id }) =>
    world.terms.some(
      (later) =>
        later.license_id === license_id &&
        later.id > id &&
        !['maintenance', 'seats'].includes(later.kind) &&
        !later.complimentary,
    ),
  );
  const renewal_rate = percent(renewed.length, ended.length);
  const due = table(asked, ({ from, to }, one) => {
    const licenses = world.licenses.filter((license) => {
      if (!ofSoftware(license) || license.currency !== one || license.status !== 'active') return false;
      if (license.expiry_date === null || license.complimentary) return false;
      const day = localDate(license.expiry_date, timeZone);
      return day >= from && day <= to;
    });
    const cents = sum(licenses, (license) => license.price_cents);
    const paid = world.licenses.filter(ofSoftware).flatMap(({ id, status, currency: own, updates_until }) => {
      if (status !== 'active') return [];
      if (updates_until === null || updates_until < from || updates_until > to) return [];
      const last = world.terms.findLast((term) => term.license_id === id && term.kind === 'maintenance');
      return [{ currency: last?.currency ?? own, cents: last?.price_cents ?? 0 }];
    });
    const updates = paid.filter((last) => last.currency === one);
    return {
      due: licenses.length,
      amount: cents / unitsOf(one),
      expected: Math.round((cents * (renewal_rate ?? 0)) / 100) / unitsOf(one),
      maintenance_due: updates.length,
      maintenance_amount: sum(updates, (last) => last.cents) / unitsOf(one),
    };
  });
  const expectedOf = (value: number) => (renewal_rate === null ? null : value);
  const renewals = {
    ...head,
    renewal_rate,
    rate_from,
    rate_to: today,
    ended: ended.length,
    renewed: renewed.length,
    months: due.rows.map((row) => ({ ...row, expected: expectedOf(row.expected) })),
    totals: due.shown.map((one) => {
      const own = due.rows.filter((row) => row.currency === one);
      return {
        currency: one,
        due: sum(own, (row) => row.due),
        amount: close(sum(own, (row) => row.amount)),
        expected: expectedOf(close(sum(own, (row) => row.expected))),
        maintenance_due: sum(own, (row) => row.maintenance_due),
        maintenance_amount: close(sum(own, (row) => row.maintenance_amount)),
      };
    }),
  };

  const spans = new Map(world.licenses.map(({ id }) => [id, activeTimes(world.observed.get(id)!)]));
  const licenseCounts = table(asked, (days, one) => {
    const own = world.licenses.filter((license) => ofSoftware(license) && license.currency === one);
    const times = own.flatMap(({ id }) => spans.get(id)!);
    const isPast = (at: number) => at <= now && localDate(at, timeZone) <= days.to;
    return {
      active: times.filter(({ from, to }) => isPast(from) && !isPast(to)).length,
      issued: own.filter(({ issued_date }) => on(issued_date, days)).length,
      gained: times.filter(({ from }) => isPast(from) && localDate(from, timeZone) >= days.from).length,
      lost: times.filter(({ to }) => isPast(to) && localDate(to, timeZone) >= days.from).length,
    };
  });
  const licenses = {
    ...head,
    months: licenseCounts.rows,
    totals: licenseCounts.shown.map((one) => {
      const own = licenseCounts.rows.filter((row) => row.currency === one);
      return {
        currency: one,
        active: own.at(-1)!.active,
        issued: sum(own, (row) => row.issued),
        gained: sum(own, (row) => row.gained),
        lost: sum(own, (row) => row.lost),
      };
    }),
  };

  const tried = table(asked, (days, one) => {
    const own = world.licenses.filter(
      (license) => ofSoftware(license) && license.currency === one && isSoldAsTrial(license.id),
    );
    const ends = own.map(({ id }) => endOfTrial(world.observed.get(id)!));
    return {
      begun: own.filter(({ issued_date }) => on(issued_date, days)).length,
      converted: ends.filter(({ converted }) => on(converted, days)).length,
      lost: ends.filter(({ converted, lost }) => converted === null && on(lost, days)).length,
    };
  });
  const trials = {
    ...head,
    months: tried.rows,
    totals: tried.shown.map((one) => {
      const own = tried.rows.filter((row) => row.currency === one);
      const converted = sum(own, (row) => row.converted);
      const lost = sum(own, (row) => row.lost);
      const begun = sum(own, (row) => row.begun);
      return { currency: one, begun, converted, lost, conversion_rate: percent(converted, converted + lost) };
    }),
  };

  const isSilent = ({ last_heartbeat, installation_date }: InstallationRow) =>
    now - Date.parse(last_heartbeat ?? installation_date) >= REPORT_SILENT_DAYS * DAY;
  const machinesOf = (license: LicenseRecord) =>
    world.installations.filter(({ license_id }) => license_id === license.id);
  const isOver = ({ expiry_date }: LicenseRecord) => expiry_date !== null && Date.parse(expiry_date) < now;
  const seats = (own: LicenseRecord[]) => {
    const usable = own.filter((license) => ['active', 'trial'].includes(license.status) && !isOver(license));
    const total = sum(usable, (license) => license.max_installations);
    const used = sum(usable, (license) => machinesOf(license).length);
    const machines = own.flatMap(machinesOf);
    return {
      seats_total: total,
      seats_used: used,
      used_percent: percent(used, total) ?? 0,
      installations: machines.length,
      silent: machines.filter(isSilent).length,
      unused: usable.filter((license) => license.status === 'active' && machinesOf(license).length === 0)
        .length,
      full: usable.filter((license) => machinesOf(license).length >= license.max_installations).length,
    };
  };
  const first = currency ?? asked.own;
  const inOrder = [first, ...CURRENCIES.filter((one) => one !== first)];
  const filtered = world.licenses.filter(ofFilters);
  const usage = {
    ...head,
    ...seats(filtered),
    silent_days: REPORT_SILENT_DAYS,
    unused_amounts: inOrder
      .map((one) => ({
        currency: one,
        amount:
          sum(
            filtered.filter(
              (license) =>
                license.currency === one &&
                license.status === 'active' &&
                !isOver(license) &&
                machinesOf(license).length === 0,
            ),
            (license) => license.price_cents,
          ) / unitsOf(one),
      }))
      .filter(({ amount: unused }) => unused > 0),
    by_software: world.software
      .map((one) => ({ one, own: filtered.filter((license) => license.software_id === one.id) }))
      .map(({ one, own }) => ({ software: one, ...seats(own) }))
      .filter(({ seats_total, installations }) => seats_total > 0 || installations > 0)
      .sort((a, b) => b.seats_total - a.seats_total || a.software.id - b.software.id),
    by_software_is_complete: true,
  };
  const machines = filtered.flatMap(machinesOf);
  const versions = {
    ...head,
    installations: machines.length,
    results: [...new Set(machines.map(({ app_version }) => app_version))]
      .map((version) => ({
        version: version === '' ? null : version,
        installations: machines.filter(({ app_version }) => app_version === version).length,
      }))
      .sort((a, b) => b.installations - a.installations || ((a.version ?? '') < (b.version ?? '') ? -1 : 1)),
    is_complete: true,
  };

  const holders = world.clients.filter(
    ({ id }) =>
      (software === null && currency === null) || filtered.some((license) => license.client_id === id),
  );
  const countries = [...new Set(holders.map(({ country }) => country))];
  const perClient = <Row extends { client: { id: number }; currency: Currency; amount: number }>(
    rowOf: (client: { id: number; name: string }, one: Currency) => Row | undefined,
    most: number,
  ) =>
    inOrder.flatMap((one) =>
      world.clients
        .flatMap(({ id, name }) => rowOf({ id, name }, one) ?? [])
        .sort((a, b) => b.amount - a.amount || a.client.id - b.client.id)
        .slice(0, most),
    );
  const reasonOf = (license: LicenseRecord) => {
    const { status, expiry_date, complimentary } = license;
    if (status !== 'active' || expiry_date === null || complimentary) return null;
    // Local days, as everywhere (D136).
    const days = (Date.parse(localDate(expiry_date, timeZone)) - Date.parse(today)) / DAY;
    if (Math.abs(days) > REPORT_RISK_DAYS) return null;
    if (Date.parse(expiry_date) < now) return 'ended';
    if (machinesOf(license).length === 0) return 'unused';
    return machinesOf(license).every(isSilent) ? 'silent' : null;
  };
  const risks = filtered.filter((license) => reasonOf(license) !== null);
  const clients = {
    ...head,
    clients: holders.length,
    by_country: countries
      .map((country) => ({ country, clients: holders.filter((client) => client.country === country).length }))
      .sort((a, b) => b.clients - a.clients || (a.country < b.country ? -1 : 1)),
    by_country_is_complete: true,
    top: perClient((client, one) => {
      if (currency !== null && currency !== one) return undefined;
      const sold = soldOn(asked, one).filter(
        ({ license_id }) => licenseOf.get(license_id)!.client_id === client.id,
      );
      return sold.length === 0 ? undefined : { client, amount: amount(sold, one), currency: one };
    }, REPORT_ROWS_MAX.top),
    at_risk: perClient((client, one) => {
      const own = risks.filter((license) => license.client_id === client.id && license.currency === one);
      if (own.length === 0) return undefined;
      const reasons = own.map(reasonOf);
      return {
        client,
        reason: ['ended', 'unused', 'silent'].find((reason) => reasons.some((other) => other === reason)),
        licenses: own.length,
        ends: own.map(({ expiry_date }) => expiry_date!).sort()[0]!,
        amount: sum(own, (license) => license.price_cents) / unitsOf(one),
        currency: one,
      };
    }, REPORT_ROWS_MAX.at_risk),
    at_risk_clients: new Set(risks.map(({ client_id }) => client_id)).size,
  };
  const recurring = expectedRecurring(world, asked);
  return { revenue, renewals, licenses, usage, versions, trials, clients, recurring };
}
