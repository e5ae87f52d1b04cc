import { z } from 'zod';
import { exportForm } from '../base/page.ts';
import { day } from '../base/text.ts';

/**
 * Data for an invoicing program about the terms sold in a period (MONEY-03). `GET reports/fiscal/export/` has one line
 * for each term; `GET reports/fiscal/check/` lists the clients whose data are incomplete.
 */

/** What the section, and the sheet of its file, is called. */
export const FISCAL_TITLE = 'Datos fiscales';

/** The check lists at most this many clients. */
export const FISCAL_CLIENTS_MAX = 200;
/**
 * The period in local days, both included. Defaults: `to` is today, `from` the first day of the month of `to`. At most
 * REPORT_MONTHS_MAX months.
 */
export const fiscalQuery = z.object({ from: day.optional(), to: day.optional() });
export const fiscalExportQuery = z.object({ ...fiscalQuery.shape, ...exportForm });

/** The fields of a client that an invoice needs. */
const FISCAL_FIELDS = ['tax_id', 'postal_code', 'tax_regime', 'cfdi_use', 'tax_condition'] as const;
export type FiscalField = (typeof FISCAL_FIELDS)[number];

const problem = z.object({ field: z.enum(FISCAL_FIELDS), message: z.string() });
export type FiscalProblem = z.infer<typeof problem>;

export const fiscalCheck = z
  .object({
    success: z.literal(true),
    from: z.string(),
    to: z.string(),
    /** The number of terms sold in the period, which is the number of lines in the export. */
    terms: z.number().int(),
    /** The number of clients checked. */
    checked: z.number().int(),
    /** False if the check stopped at FISCAL_CLIENTS_MAX clients; there may be more. */
    is_complete: z.boolean(),
    /** The clients to whom an invoice would be refused, sorted by name. */
    clients: z.array(z.object({ id: z.number().int(), name: z.string(), problems: z.array(problem).min(1) })),
  })
  .meta({ id: 'FiscalCheck' });
export type FiscalCheck = z.infer<typeof fiscalCheck>;
