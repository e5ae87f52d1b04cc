import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';

/** The fields with which every report begins. */
export const head = {
  success: z.literal(true),
  /** The instant for which the figures were computed. Large databases compute them at night, others at each call. */
  as_of: z.string(),
  from: z.string(),
  to: z.string(),
  /** The filters of the query; null means all. */
  software: z.number().int().nullable(),
  currency: currencyCode.nullable(),
};

/**
 * A month of a report in one currency. Each month of the period has a row for each currency of the report, even if all
 * figures are 0. With the filter `currency` that is one currency. Otherwise the setting's currency comes first, then
 * every other one with a figure in the period. Months are sorted, oldest first; `from` and `to` are the month's days
 * within the period.
 */
export const inMonth = {
  month: z.string().meta({ examples: ['2026-01'] }),
  from: z.string(),
  to: z.string(),
  currency: currencyCode,
};
