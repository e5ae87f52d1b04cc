import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { SETUP_STEPS } from '../settings/setup-steps.ts';

/**
 * The dashboard's list of what needs attention today. Amounts are in the setting's currency; `by_currency` has them
 * for each currency. Amounts of different currencies are never added (MONEY-01).
 */

/** The numbers of days for which licences that end soon are counted. */
export const EXPIRING_WITHIN = [7, 30] as const;
export const EXPIRED_WITHIN = 30;

const months = {
  this_month: z.number(),
  last_month: z.number(),
  /** Last month up to the same day of the month as today, for comparison with this month. */
  last_month_to_date: z.number(),
};

/**
 * The three words for money (MONEY-04), in one currency: what was sold (terms, net), what was collected (payments less
 * what went back, with tax), and what open payment requests still ask (with tax).
 */
const money = z.object({
  currency: currencyCode,
  sold: z.number().meta({
    description:
      'Vendido en este mes local, neto, sin licencias canceladas / Sold in this local month, net, without cancelled licences',
  }),
  sold_last_month_to_date: z.number().meta({
    description: 'Vendido en el mes anterior hasta el mismo día / Sold last month up to the same day',
  }),
  collected: z.number().nullable().meta({
    description:
      'Cobrado en este mes local, con impuestos y menos lo devuelto; null sin `payments:read` / Collected in this local month, with tax and less what went back; null without `payments:read`',
  }),
  receivable: z.number().nullable().meta({
    description:
      'Lo que piden todavía los cobros abiertos, con impuestos; null sin `payments:read` / What open payment requests still ask, with tax; null without `payments:read`',
  }),
  receivable_count: z.number().int().nullable().meta({
    description: 'Cuántos cobros abiertos hay / How many payment requests are open',
  }),
});

export const today = z
  .object({
    as_of: z.string(),
    currency: currencyCode,
    /**
     * Usable licences that end within some days, counted like the list's filter `expiring_within`, in all currencies.
     * The amount sums only the prices in the setting's currency.
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
    /** Licences of status active, trial or expired that ended within the last `days` days. */
    expired_recently: z.object({ days: z.number().int(), count: z.number().int() }),
    failed_mails: z.number().int(),
    /** Requests that clients made in the portal within the last fourteen days (PORTAL-05). */
    client_requests: z.number().int(),
    /** Payment requests that a person must review (PAY-05). */
    payment_reviews: z.number().int(),
    /** Active, unexpired licences whose seats are all taken. */
    seats_full: z.number().int(),
    /** The prices of the terms sold in the current local month, without cancelled licences. */
    revenue: z.object({
      ...months,
      by_currency: z.array(z.object({ currency: currencyCode, ...months })),
    }),
    money: z.array(money).meta({
      description:
        'Vendido, cobrado y por cobrar en cada moneda que tiene alguno; la de la configuración siempre y primero / Sold, collected and receivable in each currency that has some; always, and first, that of the settings',
    }),
    /**
     * How far the first steps are (DESK-06): the number of records of each kind, what is configured, and the steps that
     * were skipped.
     */
    setup: z.object({
      software: z.number().int(),
      license_types: z.number().int(),
      clients: z.number().int(),
      licenses: z.number().int(),
      installations: z.number().int(),
      company: z.boolean().meta({
        description:
          'Si la empresa tiene su nombre o su logotipo / Whether the vendor has a name of its own, or a logo',
      }),
      /** D011. */
      mail: z.boolean().meta({ description: 'Si los correos se entregan / Whether mails are delivered' }),
      payments: z.boolean().meta({
        description:
          'Si los clientes pueden pagar en línea o saben a dónde transferir / Whether clients can pay online or know where to transfer',
      }),
      team: z.boolean().meta({ description: 'Si hay alguien más / Whether there is somebody else' }),
      skipped: z
        .array(z.enum(SETUP_STEPS))
        .meta({ description: 'Los pasos que se saltaron / The steps that were skipped' }),
    }),
  })
  .meta({ id: 'Today' });
export type Today = z.infer<typeof today>;
