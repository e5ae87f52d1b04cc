import { z } from 'zod';
import { currencyCode, writtenId } from '../base/numbers.ts';
import { exportForm } from '../base/page.ts';
import { day } from '../base/text.ts';
import { REFUSALS } from '../licenses/license-state.ts';
import { DIGEST_SILENT_DAYS } from '../mail/digest.ts';
import { recurringReport } from './recurring.ts';
import { head, inMonth } from './report-head.ts';

/**
 * The reports (REPORT-01, REPORT-02): `GET reports/{kind}/` answers with one of the schemas below,
 * `reports/{kind}/export/` with the same rows as CSV. Amounts are per currency and are never added across currencies.
 * Days and months are local to BUSINESS_TIMEZONE. docs/reports.md explains every figure with an example.
 *
 * A figure's comment names the list that shows its records as `list?filters`. There `days` stands for the first and
 * last day of the figure, such as `2026-01-01..2026-01-31` (dayRange in contract/base/page.ts). The report's filters
 * `software` and `currency` are also filters of the list of licences. A list shows the current data: a deleted licence
 * is neither in the report nor in the list.
 */
export const REPORT_KINDS = [
  'revenue',
  'renewals',
  'licenses',
  'usage',
  'versions',
  'trials',
  'clients',
  'checks',
  'recurring',
] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** A period covers at most this many months. */
export const REPORT_MONTHS_MAX = 60;
/**
 * An installation counts as silent if it had no heartbeat, and was not installed, within this number of days, as in
 * the digest.
 */
export const REPORT_SILENT_DAYS = DIGEST_SILENT_DAYS;
/** The most rows of `versions`, `by_software`, `by_country` and `at_risk`, and of `top` in each currency. */
export const REPORT_ROWS_MAX = { versions: 50, software: 20, countries: 50, top: 10, at_risk: 20 } as const;
/**
 * A client is at risk because of licences that end within this number of days, or ended at most this number of days
 * ago.
 */
export const REPORT_RISK_DAYS = 30;

export const REPORT_MESSAGES = {
  span: `El periodo puede tener como máximo ${REPORT_MONTHS_MAX} meses`,
} as const;

/**
 * The period, both days included. Default: the twelve months that end today; for `renewals` the twelve months that
 * begin today. If only one day is given, the period covers twelve months before or after it. For an unknown software
 * all figures are 0.
 */
export const reportQuery = z.object({
  from: day.optional(),
  to: day.optional(),
  software: writtenId.optional(),
  currency: currencyCode.optional(),
});
export type ReportQuery = z.infer<typeof reportQuery>;

/** The report of checks cannot be filtered by currency. */
const checksReportQuery = reportQuery.omit({ currency: true });

/** The query schema of each kind of report. */
export const reportQueryOf = (kind: ReportKind): typeof reportQuery =>
  // The type cast is safe: `currency` is optional in reportQuery.
  kind === 'checks' ? (checksReportQuery as typeof reportQuery) : reportQuery;

const reportExportQuery = z.object({ ...reportQuery.shape, ...exportForm });

/** The query schema of the file of each kind of report. */
export const reportExportQueryOf = (kind: ReportKind): typeof reportExportQuery =>
  kind === 'checks'
    ? (reportExportQuery.omit({ currency: true }) as unknown as typeof reportExportQuery)
    : reportExportQuery;

const sales = {
  /** First terms, that is, issued licences. */
  new: z.number(),
  /** Renewals with the same type as the term before. */
  renewal: z.number(),
  /** Renewals with another type than the term before, and more seats of a licence (MONEY-08). */
  upgrade: z.number(),
  /** Sales of days of updates only (SELL-02). */
  maintenance: z.number(),
  total: z.number(),
  /** The total of the corresponding days in the previous period. */
  previous: z.number(),
};

/**
 * What came in with payments by the local day of `paid_at`, less what went back with refunds and lost chargebacks, each
 * on its own day; with tax, without what clients withheld, and without tests (MONEY-04). With `software`: the share of
 * its lines in the price of each request. Null without `payments:read`.
 */
const collected = z.number().nullable().meta({
  description:
    'Cobrado: pagos por su día, menos devoluciones y contracargos perdidos en el suyo, con impuestos; null sin `payments:read` / Collected: payments by their day, less refunds and lost chargebacks by theirs, with tax; null without `payments:read`',
});

/**
 * Ventas y cobros: the prices of terms by the local day of their sale, without licences that are cancelled now. The
 * previous period directly precedes the period and has the same number of months. A month is compared with the
 * corresponding month of the previous period: whole months with whole months, a partial month with the same days. List
 * behind a month: `licenses?sold=days`, which shows each licence once.
 */
const revenueReport = z
  .object({
    ...head,
    previous_from: z.string(),
    previous_to: z.string(),
    months: z.array(
      z.object({ ...inMonth, ...sales, /** Terms sold. */ count: z.number().int(), collected }),
    ),
    /** The sums over the months, one row for each currency. */
    totals: z.array(
      z.object({
        currency: currencyCode,
        ...sales,
        count: z.number().int(),
        collected,
        /** The change from `previous` to `total` in percent, one decimal; null if `previous` is 0. */
        change: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'RevenueReport' });
export type RevenueReport = z.infer<typeof revenueReport>;

const due = {
  /** Licences of status 'active' that end on these days. */
  due: z.number().int(),
  /** The sum of their prices. */
  amount: z.number(),
  /** `amount` × `renewal_rate`: the likely income; null without a rate. */
  expected: z.number().nullable(),
  /** Licences of status 'active' whose updates end on these days, regardless of the licence's own end (SELL-02). */
  maintenance_due: z.number().int(),
  /**
   * The sum of the prices of their last maintenance; 0 for a licence that had none. It counts in the licence's
   * currency.
   */
  maintenance_amount: z.number(),
};

/** Renovaciones. List behind a month: `licenses?status=active&complimentary=false&expiry_from=&expiry_to=`. */
const renewalsReport = z
  .object({
    ...head,
    /**
     * The share of terms, in percent with one decimal, that were followed by another term of the same licence. It is
     * computed over the terms, except trials, that ended in the twelve months up to `as_of`; null if none ended. Terms
     * of cancelled licences count as not renewed. It covers all currencies, or the one of the query.
     */
    renewal_rate: z.number().nullable(),
    rate_from: z.string(),
    rate_to: z.string(),
    /** The number of terms that ended, and how many of them were renewed. */
    ended: z.number().int(),
    renewed: z.number().int(),
    months: z.array(z.object({ ...inMonth, ...due })),
    totals: z.array(z.object({ currency: currencyCode, ...due })),
  })
  .meta({ id: 'RenewalsReport' });
export type RenewalsReport = z.infer<typeof renewalsReport>;

/**
 * Licencias. A licence counts in its current currency and software. `active` at a moment equals the dashboard's active
 * licences at that moment: status 'active' and not past its end at that time. Deleted licences are not counted.
 */
const licenseCounts = {
  /**
   * Active at the end of the last of these days, or at `as_of` if that is earlier. List for the last month:
   * `licenses?is_active=true`.
   */
  active: z.number().int(),
  /** Issued on these days, with any status: `licenses?issued=days`. */
  issued: z.number().int(),
  /** Became active on these days, for the first time or again: active = active before + gained − lost. */
  gained: z.number().int(),
  /** Stopped being active on these days, until `as_of`: `licenses?lost=days`. */
  lost: z.number().int(),
};

const licensesReport = z
  .object({
    ...head,
    months: z.array(z.object({ ...inMonth, ...licenseCounts })),
    /** `active` is the value of the last month, the other figures are sums. */
    totals: z.array(z.object({ currency: currencyCode, ...licenseCounts })),
  })
  .meta({ id: 'LicensesReport' });
export type LicensesReport = z.infer<typeof licensesReport>;

const seats = {
  /** The seats of usable licences: status 'active' or 'trial', not past the expiry date. */
  seats_total: z.number().int(),
  seats_used: z.number().int(),
  /** The percentage of used seats, one decimal; 0 if there are no seats. */
  used_percent: z.number(),
  /** Installations of all licences. */
  installations: z.number().int(),
  /** Installations without a heartbeat, and not installed, within REPORT_SILENT_DAYS: `installations?silent_for=7`. */
  silent: z.number().int(),
  /**
   * Active licences without an installation: clients who pay but do not use it. `licenses?is_active=true&unused=true`.
   */
  unused: z.number().int(),
  /** Usable licences whose seats are all taken: clients who may need more. `licenses?seats_full=true`. */
  full: z.number().int(),
};

/** Uso: the state at `as_of`, independent of the period. */
const usageReport = z
  .object({
    ...head,
    ...seats,
    silent_days: z.number().int(),
    unused_amounts: z.array(z.object({ currency: currencyCode, amount: z.number() })),
    /** The software with the most seats, at most REPORT_ROWS_MAX.software. */
    by_software: z.array(
      z.object({
        software: z.object({ id: z.number().int(), name: z.string(), version: z.string() }),
        ...seats,
      }),
    ),
    by_software_is_complete: z.boolean(),
  })
  .meta({ id: 'UsageReport' });
export type UsageReport = z.infer<typeof usageReport>;

/**
 * Versiones: installations by the version that their program reported, independent of the period; the most frequent
 * first.
 */
const versionsReport = z
  .object({
    ...head,
    installations: z.number().int(),
    /** `version` is null for installations that reported none. At most REPORT_ROWS_MAX.versions rows. */
    results: z.array(z.object({ version: z.string().nullable(), installations: z.number().int() })),
    is_complete: z.boolean(),
  })
  .meta({ id: 'VersionsReport' });
export type VersionsReport = z.infer<typeof versionsReport>;

/**
 * Pruebas. A trial is a licence issued with status or category 'trial'. It counts in its current currency and
 * software.
 */
const trials = {
  /** Trials issued on these days: `licenses?trial_begun=days`. */
  begun: z.number().int(),
  /** Trials that became active licences of another category on these days: `licenses?trial_converted=days`. */
  converted: z.number().int(),
  /**
   * Trials that ended or were cancelled on these days, until `as_of`, and were never converted:
   * `licenses?trial_lost=days`.
   */
  lost: z.number().int(),
};

const trialsReport = z
  .object({
    ...head,
    months: z.array(z.object({ ...inMonth, ...trials })),
    totals: z.array(
      z.object({
        currency: currencyCode,
        ...trials,
        /** converted / (converted + lost) in the period, in percent with one decimal; null if both are 0. */
        conversion_rate: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'TrialsReport' });
export type TrialsReport = z.infer<typeof trialsReport>;

/** Why a client is at risk, the most serious reason first. */
export const RISK_REASONS = ['ended', 'unused', 'silent'] as const;
export type RiskReason = (typeof RISK_REASONS)[number];

const namedClient = z.object({ id: z.number().int(), name: z.string() });

/** Clientes. With a software or currency in the query, only clients with such a licence count. */
const clientsReport = z
  .object({
    ...head,
    clients: z.number().int(),
    /** Countries with the most clients first, at most REPORT_ROWS_MAX.countries: `clients?country=`. */
    by_country: z.array(z.object({ country: z.string(), clients: z.number().int() })),
    by_country_is_complete: z.boolean(),
    /**
     * The clients with the highest sales in the period, as in `revenue`, at most REPORT_ROWS_MAX.top in each currency.
     * A sale counts for the current client of its licence.
     */
    top: z.array(z.object({ client: namedClient, amount: z.number(), currency: currencyCode })),
    /**
     * Clients who may not renew a licence of status 'active', highest amounts first in each currency, at most
     * REPORT_ROWS_MAX.at_risk in each. A licence is at risk if it ended within the last REPORT_RISK_DAYS days
     * ('ended'), or ends within the next REPORT_RISK_DAYS days and has no installation ('unused') or only silent ones
     * ('silent').
     */
    at_risk: z.array(
      z.object({
        client: namedClient,
        /** The most serious reason among the client's licences at risk. */
        reason: z.enum(RISK_REASONS),
        licenses: z.number().int(),
        /** The earliest end of these licences. */
        ends: z.string(),
        amount: z.number(),
        currency: currencyCode,
      }),
    ),
    /** The total number of clients at risk. */
    at_risk_clients: z.number().int(),
  })
  .meta({ id: 'ClientsReport' });
export type ClientsReport = z.infer<typeof clientsReport>;

/** Validaciones: validations by installed programs, with the results (SELL-07). */
const checksReport = z
  .object({
    ...head,
    /** Each day has one row for each refusal reason that occurred, and one row without a reason for valid licences. */
    days: z.array(
      z.object({
        day: z.string().meta({ description: 'Día / Day', examples: ['2026-01-15'] }),
        reason: z.enum(REFUSALS).nullable(),
        count: z.number().int().meta({ description: 'Cuántas consultas / How many checks' }),
      }),
    ),
  })
  .meta({ id: 'ChecksReport' });
export type ChecksReport = z.infer<typeof checksReport>;

/** The answer schema of each kind of report. */
export const REPORTS = {
  revenue: revenueReport,
  renewals: renewalsReport,
  licenses: licensesReport,
  usage: usageReport,
  versions: versionsReport,
  trials: trialsReport,
  clients: clientsReport,
  checks: checksReport,
  recurring: recurringReport,
} as const satisfies Record<ReportKind, z.ZodType>;

export type ReportAnswers = { [Kind in ReportKind]: z.infer<(typeof REPORTS)[Kind]> };
