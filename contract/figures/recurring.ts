import { z } from 'zod';
import { currencyCode } from '../base/numbers.ts';
import { head, inMonth } from './report-head.ts';

/**
 * Venta recurrente (REPORT-05): what the terms that hold are worth in a month, and how that changed. A month always
 * counts as a whole, also where the period begins or ends within it: what changed since the end of the month before, up
 * to its own last day, or up to today. Each movement is that of a client: all its licences together.
 *
 * start + new + expansion + reactivated − contraction − churned = end, exactly.
 */
const recurring = {
  /** The recurring revenue of the last day of the month before. */
  start: z.number().meta({
    description:
      'Venta recurrente al inicio, el último día del mes anterior / Recurring revenue at the start, on the last day of the month before',
  }),
  /** Of clients who had none at the end of the month before, nor of any earlier month. */
  new: z.number(),
  /** What clients have more than at the end of the month before. */
  expansion: z.number().meta({ description: 'Lo que los clientes tienen de más / What clients have more' }),
  /** What clients have less; a positive amount. */
  contraction: z
    .number()
    .meta({ description: 'Lo que los clientes tienen de menos / What clients have less' }),
  /** What clients had who have none any more; a positive amount. */
  churned: z
    .number()
    .meta({ description: 'Lo que tenían los clientes que se fueron / What the clients had who left' }),
  /** Of clients who had none at the end of the month before, but earlier. */
  reactivated: z.number().meta({ description: 'De clientes que volvieron / Of clients who came back' }),
  /** The recurring revenue of the last day of the month; today's for the current month. */
  end: z.number().meta({
    description:
      'Venta recurrente al final, el último día del mes, o la de hoy / Recurring revenue at the end, on the last day of the month, or that of today',
  }),
  /** The clients who have any at the end. */
  clients: z.number().int(),
  /** `end` ÷ `clients`; 0 without clients. */
  arpa: z.number().meta({
    description: 'Venta recurrente por cliente / Recurring revenue for each client',
  }),
};

export const recurringReport = z
  .object({
    ...head,
    months: z.array(z.object({ ...inMonth, ...recurring })),
    /**
     * Percent of the first `start`, one decimal, over all months; null if that is 0. `grr`: what contraction and churn
     * left of it. `nrr`: the same with what expansion and reactivation added.
     */
    totals: z.array(
      z.object({
        currency: currencyCode,
        grr: z.number().nullable().meta({ description: 'Retención bruta (%) / Gross revenue retention (%)' }),
        nrr: z.number().nullable().meta({ description: 'Retención neta (%) / Net revenue retention (%)' }),
      }),
    ),
  })
  .meta({ id: 'RecurringReport' });
export type RecurringReport = z.infer<typeof recurringReport>;
