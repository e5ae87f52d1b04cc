import { withPostalZeros, withTaxIdZeros } from '../../../contract/reading/leading-zeros.ts';
import type { Scope } from '../../scope.ts';
import { note, type RowValues, textOf } from './row-values.ts';

/** Gives postal codes and tax ids the leading zeros back that a spreadsheet dropped (INPUT-03). */

const RESTORED = { postal_code: withPostalZeros, tax_id: withTaxIdZeros } as const;

/** Only digits can have lost a zero. */
const mayHaveLost = (row: RowValues) =>
  Object.keys(RESTORED).some((field) => /^[1-9]\d*$/.test(textOf(row, field) ?? ''));

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
    note(row, { sort: 'fixed', field, text, value: whole ?? null });
  }
  return restored;
}

/**
 * The stored countries of clients whose rows say none but may lack zeros.
 * @param found the client of each row
 */
export async function storedCountries(
  { tx }: Scope,
  found: readonly { row: RowValues; id: number | undefined }[],
): Promise<ReadonlyMap<number, string>> {
  const ids = found.flatMap(({ row, id }) =>
    id === undefined || textOf(row, 'country') !== undefined || !mayHaveLost(row) ? [] : id,
  );
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom('clients').select(['id', 'country']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, country }) => [id, country]));
}
