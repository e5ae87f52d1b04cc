import { z } from 'zod';
import { day } from '../base/text.ts';

/**
 * What an invoicing program needs of the terms sold in a period (MONEY-03): `GET reports/fiscal/export/` gives one line
 * for each term, `GET reports/fiscal/check/` says beforehand which clients lack something.
 */

/** The check lists at most this many clients. */
export const FISCAL_CLIENTS_MAX = 200;
/** The period in local days, both included. Absent: from the first of the month of `to` until `to`, which is today; at most REPORT_MONTHS_MAX months. */
export const fiscalQuery = z.object({ from: day.optional(), to: day.optional() });

/** The fields of a client that an invoice needs. */
export const FISCAL_FIELDS = ['tax_id', 'postal_code', 'tax_regime', 'cfdi_use', 'tax_condition'] as const;
export type FiscalField = (typeof FISCAL_FIELDS)[number];

const problem = z.object({ field: z.enum(FISCAL_FIELDS), message: z.string() });
export type FiscalProblem = z.infer<typeof problem>;

export const fiscalCheck = z
  .object({
    success: z.literal(true),
    from: z.string(),
    to: z.string(),
    /** The terms sold in the period: the lines of the export. */
    terms: z.number().int(),
    /** How many clients were checked. */
    checked: z.number().int(),
    /** False when the check ended at the most clients that it lists: others may follow. */
    is_complete: z.boolean(),
    /** The clients whose data an invoice would be refused for, by name. */
    clients: z.array(z.object({ id: z.number().int(), name: z.string(), problems: z.array(problem).min(1) })),
  })
  .meta({ id: 'FiscalCheck' });
export type FiscalCheck = z.infer<typeof fiscalCheck>;
