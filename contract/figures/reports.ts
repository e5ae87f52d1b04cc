import { z } from 'zod';
import { currencyCode, recordId } from '../base/numbers.ts';
import { day } from '../base/text.ts';
import { REFUSALS } from '../licenses/license-verdict.ts';
import { DIGEST_SILENT_DAYS } from '../mail/digest.ts';

/**
 * The reports (REPORT-01, REPORT-02): `GET reports/{kind}/` answers one of the schemas below, `reports/{kind}/export/`
 * the same rows as CSV. Amounts are per currency and are never added across currencies. Days and months are those of
 * BUSINESS_TIMEZONE. docs/reports.md has every figure with an example.
 *
 * The list behind a figure is named as `list?filters`; `days` is the first and the last day of the figure, such as
 * `2026-01-01..2026-01-31` (dayRange in contract/base/page.ts). A query's software and currency are filters of the list of
 * licences too (`software`, `currency`). A list shows what is now: a licence that was deleted is in neither.
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
] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** A period covers at most this many months. */
export const REPORT_MONTHS_MAX = 60;
/** A machine is silent when it neither reported nor was installed within this many days, as in the digest. */
export const REPORT_SILENT_DAYS = DIGEST_SILENT_DAYS;
/** Most rows of `versions`, of `by_software`, of `by_country`, and of `top` in each currency, and of `at_risk`. */
export const REPORT_ROWS_MAX = { versions: 50, software: 20, countries: 50, top: 10, at_risk: 20 } as const;
/** A client is at risk by what ends within this many days, or ended within as many before today. */
export const REPORT_RISK_DAYS = 30;

export const REPORT_MESSAGES = {
  dates: 'La fecha de fin debe ser posterior a la fecha de inicio',
  span: `El periodo puede tener como máximo ${REPORT_MONTHS_MAX} meses`,
} as const;

/**
 * The period, both days included. Absent: the twelve months that end today; for `renewals` the twelve months that
 * begin today. With one day alone, the period has twelve months before or after it. An unknown software gives zeros.
 */
export const reportQuery = z.object({
  from: day.optional(),
  to: day.optional(),
  software: z.coerce.number().pipe(recordId).optional(),
  currency: currencyCode.optional(),
});
export type ReportQuery = z.infer<typeof reportQuery>;

/** Checks have no currency. */
const checksReportQuery = reportQuery.omit({ currency: true });

/** The query of each kind. */
export const reportQueryOf = (kind: ReportKind): typeof reportQuery =>
  // Without the currency it is a query as well.
  kind === 'checks' ? (checksReportQuery as typeof reportQuery) : reportQuery;

/** What every report says first. */
const head = {
  success: z.literal(true),
  /** The instant of the figures. Those of large databases are made at night; all others at the call. */
  as_of: z.string(),
  from: z.string(),
  to: z.string(),
  /** The filters of the query; null: all. */
  software: z.number().int().nullable(),
  currency: currencyCode.nullable(),
};

/**
 * A month of a report in one currency. Each month of the period has a row for each currency of the report, also where
 * all is 0: the query's currency alone; else the setting's first, then each other one with a figure in the period.
 * Months are in order, the oldest first; `from` and `to` are the month's days within the period.
 */
const inMonth = {
  month: z.string().meta({ examples: ['2026-01'] }),
  from: z.string(),
  to: z.string(),
  currency: currencyCode,
};

const sales = {
  /** First terms, i.e. issues. */
  new: z.number(),
  /** Renewals with the type of the term before. */
  renewal: z.number(),
  /** Renewals with another type. */
  upgrade: z.number(),
  /** Days of updates that were sold alone (SELL-02). */
  maintenance: z.number(),
  total: z.number(),
  /** The total of the same days in the period before. */
  previous: z.number(),
};

/**
 * Ingresos: the prices of the terms by the local day of their sale, without those of licences that are cancelled now.
 * The period before has as many months, directly before: each month is compared with the one as many months earlier,
 * cut to the same days of the month; a month that is whole is compared with a whole one.
 * Behind a month: `licenses?sold=days`, which has each licence once.
 */
export const revenueReport = z
  .object({
    ...head,
    previous_from: z.string(),
    previous_to: z.string(),
    months: z.array(z.object({ ...inMonth, ...sales, /** Terms sold. */ count: z.number().int() })),
    /** The sums over the months, one row for each currency. */
    totals: z.array(
      z.object({
        currency: currencyCode,
        ...sales,
        count: z.number().int(),
        /** Percent of `total` against `previous`, one decimal; null when `previous` is 0. */
        change: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'RevenueReport' });
export type RevenueReport = z.infer<typeof revenueReport>;

const due = {
  /** Licences of status 'active' whose end falls on the days. */
  due: z.number().int(),
  /** Their prices. */
  amount: z.number(),
  /** `amount` × `renewal_rate`, what is likely to come in; null without a rate. */
  expected: z.number().nullable(),
  /** Licences of status 'active' whose updates end on the days, whenever they end themselves (SELL-02). */
  maintenance_due: z.number().int(),
  /** What their last maintenance cost; nothing for one that had none. A licence counts under its currency. */
  maintenance_amount: z.number(),
};

/** Renovaciones. Behind a month: `licenses?status=active&expiry_from=&expiry_to=`. */
export const renewalsReport = z
  .object({
    ...head,
    /**
     * Percent, one decimal: of the terms, but trials, that ended in the twelve months up to `as_of`, those after which
     * another term of the same licence was sold; null when none ended. Terms of cancelled licences count: who cancels
     * does not renew. All currencies, or that of the query.
     */
    renewal_rate: z.number().nullable(),
    rate_from: z.string(),
    rate_to: z.string(),
    /** The terms that ended, and those of them that were renewed. */
    ended: z.number().int(),
    renewed: z.number().int(),
    months: z.array(z.object({ ...inMonth, ...due })),
    totals: z.array(z.object({ currency: currencyCode, ...due })),
  })
  .meta({ id: 'RenewalsReport' });
export type RenewalsReport = z.infer<typeof renewalsReport>;

/**
 * Licencias. A licence counts under the currency and the software that it has now. `active` at a moment is what the
 * dashboard's active licences were at that moment: status 'active' and not past the end that it had then. A deleted
 * licence is in no figure.
 */
const lives = {
  /** Active at the end of the month's days, at `as_of` for days to come: `licenses?is_active=true` in the last month. */
  active: z.number().int(),
  /** Issued on the days, of any status: `licenses?issued=days`. */
  issued: z.number().int(),
  /** Became active on the days, also again: active = active before + gained − lost. */
  gained: z.number().int(),
  /** Stopped being active on the days, up to `as_of`: `licenses?lost=days`. */
  lost: z.number().int(),
};

export const licensesReport = z
  .object({
    ...head,
    months: z.array(z.object({ ...inMonth, ...lives })),
    /** `active` is that of the last month, the others are sums. */
    totals: z.array(z.object({ currency: currencyCode, ...lives })),
  })
  .meta({ id: 'LicensesReport' });
export type LicensesReport = z.infer<typeof licensesReport>;

const seats = {
  /** The seats of usable licences: status 'active' or 'trial', not past their date. */
  seats_total: z.number().int(),
  seats_used: z.number().int(),
  /** Percent of the seats that are used, one decimal; 0 without seats. */
  used_percent: z.number(),
  /** Machines of all licences. */
  installations: z.number().int(),
  /** Machines that neither reported nor were installed within REPORT_SILENT_DAYS: `installations?silent_for=7`. */
  silent: z.number().int(),
  /** Active licences without a machine, who pays and does not use: `licenses?is_active=true&unused=true`. */
  unused: z.number().int(),
  /** Usable licences with a machine on each seat, who may need more: `licenses?seats_full=true`. */
  full: z.number().int(),
};

/** Uso: as of `as_of`, whatever the period. */
export const usageReport = z
  .object({
    ...head,
    ...seats,
    silent_days: z.number().int(),
    unused_amounts: z.array(z.object({ currency: currencyCode, amount: z.number() })),
    /** The software with most seats, REPORT_ROWS_MAX.software at most. */
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

/** Versiones: machines by the version that their program reported, whatever the period; most machines first. */
export const versionsReport = z
  .object({
    ...head,
    installations: z.number().int(),
    /** `version` is null for machines that reported none. REPORT_ROWS_MAX.versions at most. */
    results: z.array(z.object({ version: z.string().nullable(), installations: z.number().int() })),
    is_complete: z.boolean(),
  })
  .meta({ id: 'VersionsReport' });
export type VersionsReport = z.infer<typeof versionsReport>;

/**
 * Pruebas. A trial is a licence that was issued with the status or the category 'trial', under the currency and the
 * software that it has now.
 */
const trials = {
  /** Trials issued on the days: `licenses?trial_begun=days`. */
  begun: z.number().int(),
  /** Trials that became active and of another category on the days: `licenses?trial_converted=days`. */
  converted: z.number().int(),
  /** Trials, never converted, that ended or were cancelled on the days, up to `as_of`: `licenses?trial_lost=days`. */
  lost: z.number().int(),
};

export const trialsReport = z
  .object({
    ...head,
    months: z.array(z.object({ ...inMonth, ...trials })),
    totals: z.array(
      z.object({
        currency: currencyCode,
        ...trials,
        /** Percent of those converted or lost in the period that were converted, one decimal; null without any. */
        conversion_rate: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'TrialsReport' });
export type TrialsReport = z.infer<typeof trialsReport>;

/** Why a client is at risk, the gravest first. */
export const RISK_REASONS = ['ended', 'unused', 'silent'] as const;
export type RiskReason = (typeof RISK_REASONS)[number];

const namedClient = z.object({ id: z.number().int(), name: z.string() });

/** Clientes. With a software or currency only clients with a licence of it count. */
export const clientsReport = z
  .object({
    ...head,
    clients: z.number().int(),
    /** Most clients first, REPORT_ROWS_MAX.countries at most: `clients?country=`. */
    by_country: z.array(z.object({ country: z.string(), clients: z.number().int() })),
    by_country_is_complete: z.boolean(),
    /**
     * The clients whose licences sold most in the period, REPORT_ROWS_MAX.top in each currency, as in `revenue`: the
     * client is that of the licence now.
     */
    top: z.array(z.object({ client: namedClient, amount: z.number(), currency: currencyCode })),
    /**
     * Clients with a licence of status 'active' that may be lost, most money first in each currency,
     * REPORT_ROWS_MAX.at_risk at most in each: it ended within the last REPORT_RISK_DAYS ('ended'), or ends within as
     * many and has no machine ('unused') or only silent ones ('silent').
     */
    at_risk: z.array(
      z.object({
        client: namedClient,
        /** The gravest reason of its licences at risk. */
        reason: z.enum(RISK_REASONS),
        licenses: z.number().int(),
        /** The first end among them. */
        ends: z.string(),
        amount: z.number(),
        currency: currencyCode,
      }),
    ),
    /** How many clients are at risk, in all. */
    at_risk_clients: z.number().int(),
  })
  .meta({ id: 'ClientsReport' });
export type ClientsReport = z.infer<typeof clientsReport>;

/** Validaciones: what installed programs asked, and were answered (SELL-07). */
export const checksReport = z
  .object({
    ...head,
    /** A day has a row for each reason that was given on it, and one without a reason for valid licences. */
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

/** The answer of each kind. */
export const REPORTS = {
  revenue: revenueReport,
  renewals: renewalsReport,
  licenses: licensesReport,
  usage: usageReport,
  versions: versionsReport,
  trials: trialsReport,
  clients: clientsReport,
  checks: checksReport,
} as const satisfies Record<ReportKind, z.ZodType>;
