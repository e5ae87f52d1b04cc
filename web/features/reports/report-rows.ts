import type { Currency } from '../../../contract/base/money.ts';
import { formatMoney, formatPercent } from '../../text/format.ts';

/** Two days in the form of a licence filter; `dayRange` of contract/base/page.ts parses it. */
export const dayRangeOf = (from: string, to: string) => `${from}..${to}`;

interface MonthRow {
  month: string;
  from: string;
  to: string;
  currency: Currency;
}

/** Groups rows by currency, in the order of the report: amounts of different currencies are never added (MONEY-01). */
export function byCurrency<Row extends { currency: Currency }>(rows: readonly Row[]): [Currency, Row[]][] {
  const groups = new Map<Currency, Row[]>();
  for (const row of rows) groups.set(row.currency, [...(groups.get(row.currency) ?? []), row]);
  return [...groups];
}

/**
 * One row for each month, in which the counts of all currencies are added.
 * @param names the fields that are counts
 */
export function addedUp<Row extends MonthRow, Name extends keyof Row>(
  rows: readonly Row[],
  names: readonly Name[],
): (Pick<MonthRow, 'month' | 'from' | 'to'> & Record<Name, number>)[] {
  const months = [...new Set(rows.map(({ month }) => month))];
  return months.map((month) => {
    const ofMonth = rows.filter((row) => row.month === month);
    const { from, to } = ofMonth[0]!;
    return { month, from, to, ...sumsOf(ofMonth, names) };
  });
}

/** The sums of some fields over rows. */
export const sumsOf = <Row, Name extends keyof Row>(
  rows: readonly Row[],
  names: readonly Name[],
): Record<Name, number> =>
  Object.fromEntries(
    names.map((name) => [name, rows.reduce((sum, row) => sum + Number(row[name]), 0)]),
  ) as Record<Name, number>;

/** '43.6%': a part of a whole, with at most one decimal. */
export const percentOf = (part: number, whole: number) =>
  formatPercent(whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10);

/** Formats the amounts of a report, with their currency code if the page shows several currencies. */
export const moneyOf = (currency: Currency, mixed: boolean) => (amount: number) =>
  formatMoney(amount, currency, mixed);
