import type { ImportForecast } from '../../../contract/imports/imports.ts';
import {
  ASSUMED_ORDER,
  addProof,
  type ChosenOrder,
  type ColumnOrder,
  NO_PROOFS,
  type OrderProofs,
  orderOfColumn,
} from '../../../contract/reading/days.ts';
import { shownText } from './read-cell.ts';
import type { SheetRow } from './read-sheet.ts';
import type { FilledColumn, Reading } from './row-values.ts';

/** Finds the order of day and month of each column from all its rows, before any row is stored (INPUT-05). */

/** By the name of the column, the order in which it is read. */
export type FoundOrders = Record<string, ColumnOrder>;

export class DateOrders {
  readonly #columns: readonly string[];
  readonly #chosen: Readonly<Record<string, ChosenOrder>>;
  readonly #of: Reading['of'];
  readonly #days: { at: FilledColumn; proofs: OrderProofs }[];

  /** @param chosen the orders that the caller chose, by the name of the column */
  constructor(
    columns: readonly string[],
    { of, filled }: Reading,
    chosen: Readonly<Record<string, ChosenOrder>> = {},
  ) {
    this.#columns = columns;
    this.#of = of;
    this.#chosen = chosen;
    this.#days = filled
      .filter(({ field }) => field.form === 'day')
      .map((at) => ({ at, proofs: { ...NO_PROOFS } }));
  }

  /** Takes what the days of a row prove. */
  add([row, ...cells]: SheetRow): void {
    for (const { at, proofs } of this.#days) {
      const text = shownText(cells[at.column] ?? '', this.#of);
      if (text !== '') addProof(proofs, row, text);
    }
  }

  /** The order of each column of days; one that the caller chose counts as found. */
  found(): FoundOrders {
    return Object.fromEntries(
      this.#days.map(({ at, proofs }) => {
        const name = this.#columns[at.column]!;
        const order = this.#chosen[name];
        return [name, order ? { kind: 'found', order } : orderOfColumn(proofs)];
      }),
    );
  }
}

/** The reading with the order of each column of days. */
export function withOrders(reading: Reading, columns: readonly string[], orders: FoundOrders): Reading {
  const filled = reading.filled.map((at) => {
    const order = orders[columns[at.column]!];
    if (!order || order.kind === 'none') return at;
    if (order.kind === 'mixed') return { ...at, days: { dmy: order.dmy, mdy: order.mdy } };
    return { ...at, days: { order: order.order === 'ymd' ? ASSUMED_ORDER : order.order } };
  });
  return { ...reading, filled };
}

/** The orders in the answer of a check. */
export function ordersInAnswer(
  orders: FoundOrders,
): Pick<ImportForecast, 'date_orders' | 'date_orders_assumed' | 'date_orders_mixed'> {
  const found = Object.entries(orders);
  const named = (kind: ColumnOrder['kind']) =>
    found.filter(([, order]) => order.kind === kind).map(([column]) => column);
  return {
    date_orders: Object.fromEntries(
      found.flatMap(([column, order]) => ('order' in order ? [[column, order.order]] : [])),
    ),
    date_orders_assumed: named('assumed'),
    date_orders_mixed: named('mixed'),
  };
}
