import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';

/**
 * What the dashboard says is to do today. Amounts are in the setting's currency; `by_currency` has those of each
 * currency, which are never added (MONEY-01).
 */

/** Licences that end soon are counted for these numbers of days. */
export const EXPIRING_WITHIN = [7, 30] as const;
export const EXPIRED_WITHIN = 30;

const months = {
  this_month: z.number(),
  last_month: z.number(),
  /** Of last month up to the day that today is of this one: what this month is compared with. */
  last_month_to_date: z.number(),
};

export const today = z
  .object({
    as_of: z.string(),
    currency: currencyCode,
    /**
     * Usable licences that end within some days, as the list's filter `expiring_within`, of any currency; the amount is
     * the prices of those in the setting's currency.
     */
    expiring: z.array(
      z.object({
        days: z.number().int(),
        count: z.number().int(),
        amount: z.number(),
        by_currency: z.array(
          z.object({ currency: currencyCode, count: z.number().int(), amount: z.number() }),
        ),
      }),
    ),
    /** Licences that ended within the days before now, of the statuses active, trial and expired. */
    expired_recently: z.object({ days: z.number().int(), count: z.number().int() }),
    failed_mails: z.number().int(),
    /** What clients asked for in the portal within the last fourteen days (PORTAL-05). */
    client_requests: z.number().int(),
    /** Payment requests that wait for a person (PAY-05). */
    payment_reviews: z.number().int(),
    /** Active licences, not past their date, with a machine on each seat. */
    seats_full: z.number().int(),
    /** The prices of the terms sold in the local month, without those of cancelled licences. */
    revenue: z.object({
      ...months,
      by_currency: z.array(z.object({ currency: currencyCode, ...months })),
    }),
    /** The number of records of each kind, for the first steps in an empty installation. */
    setup: z.object({
      software: z.number().int(),
      license_types: z.number().int(),
      clients: z.number().int(),
      licenses: z.number().int(),
      installations: z.number().int(),
    }),
  })
  .meta({ id: 'Today' });
export type Today = z.infer<typeof today>;
