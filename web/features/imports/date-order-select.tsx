import type { ImportForecast } from '../../../contract/imports/imports.ts';
import { CHOSEN_ORDERS, type ChosenOrder } from '../../../contract/reading/days.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { columnTexts, findingTexts } from './imports-texts.ts';

interface DateOrderSelectProps {
  column: string;
  /** What the last check found; null before it. */
  check: ImportForecast | null;
  value: ChosenOrder | undefined;
  onChange: (order: ChosenOrder | undefined) => void;
}

/** The order in which the days of a column are read (INPUT-05). */
export function DateOrderSelect({ column, check, value, onChange }: DateOrderSelectProps) {
  const isMixed = value === undefined && check?.date_orders_mixed.includes(column);
  return (
    <Field
      label={columnTexts.dateOrder(column)}
      labelHidden
      error={isMixed ? findingTexts.mixed(column) : undefined}
      help={value === undefined && !isMixed ? orderInWords(check, column) : undefined}
    >
      <Select
        value={value ?? ''}
        none={columnTexts.anyOrder}
        choices={CHOSEN_ORDERS.map((order) => [order, columnTexts.dateOrders[order]])}
        onChange={({ target }) => onChange(CHOSEN_ORDERS.find((order) => order === target.value))}
      />
    </Field>
  );
}

/** In which order a check read a column of days; undefined before one, and for a column without an order. */
export function orderInWords(check: ImportForecast | null, column: string): string | undefined {
  const order = check?.date_orders[column];
  if (order === undefined) return undefined;
  const said = findingTexts.orders[order](column);
  return check?.date_orders_assumed.includes(column) ? `${said} ${findingTexts.assumed}` : said;
}
