import { withPostalZeros, withTaxIdZeros } from '../../../contract/reading/leading-zeros.ts';
import { addFinding, type RowValues, textOf } from './row-values.ts';

/** Gives postal codes and tax ids the leading zeros back that a spreadsheet dropped (INPUT-03). */

const RESTORED = { postal_code: withPostalZeros, tax_id: withTaxIdZeros } as const;

/**
 * The values of a row with their zeros; what changed is counted as `fixed`.
 * @param country the client's country; '' if it is not known, then nothing changes
 */
export function withZeros(
  row: RowValues,
  values: Record<string, unknown>,
  country: string,
): Record<string, unknown> {
  const restored = { ...values };
  for (const [field, restore] of Object.entries(RESTORED)) {
    const text = textOf(row, field);
    const whole = text && restore(text, country);
    if (text === undefined || whole === text) continue;
    restored[field] = whole;
    addFinding(row, { sort: 'fixed', field, text, value: whole ?? null });
  }
  return restored;
}
