import { DAY_NOUN } from './es.ts';
import { countOf } from './format.ts';

/** The length of a term, in days or by the calendar (MONEY-10). */

export const LENGTH_UNITS = ['days', 'months', 'years'] as const;
export type LengthUnit = (typeof LENGTH_UNITS)[number];

export const UNIT_WORDS: Readonly<Record<LengthUnit, string>> = {
  days: 'días',
  months: 'meses',
  years: 'años',
};

const NOUNS = {
  days: DAY_NOUN,
  months: { one: 'mes', many: 'meses' },
  years: { one: 'año', many: 'años' },
} as const;

export const termTexts = { unit: 'Unidad del plazo', byMonths: 'Contar por meses' } as const;

/** The label of a length in a unit: 'Días de Validez', 'Años de Validez'. */
export const labelIn = (unit: LengthUnit, label: string): string =>
  unit === 'days' ? label : label.replace(/^Días/, unit === 'months' ? 'Meses' : 'Años');

/** '365 días', '6 meses', '1 año': months where there are any. */
export function lengthInWords(days: number, months: number | null | undefined): string {
  if (!months) return countOf(days, NOUNS.days);
  return months % 12 === 0 ? countOf(months / 12, NOUNS.years) : countOf(months, NOUNS.months);
}
