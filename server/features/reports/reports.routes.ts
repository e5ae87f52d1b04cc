import { REPORT_COLUMNS } from '../../../contract/figures/report-columns.ts';
import {
  REPORT_KINDS,
  REPORTS,
  type ReportAnswers,
  type ReportKind,
  type ReportQuery,
  reportExportQueryOf,
  reportQueryOf,
} from '../../../contract/figures/reports.ts';
import type { AppContext } from '../../context.ts';
import type { Db } from '../../db/tables.ts';
import { can } from '../../http/access.ts';
import { sendTable } from '../../http/file-reply.ts';
import { principalOf } from '../../http/request-scope.ts';
import { routesOf } from '../../http/routes.ts';
import type { Principal } from '../../principal.ts';
import type { DayRange } from '../figures/periods.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { reportChecks } from './checks-report.ts';
import { reportClients } from './clients-report.ts';
import type { Asked } from './in-currencies.ts';
import { reportLicenses, reportTrials } from './licenses-report.ts';
import { reportRecurring } from './recurring/recurring-report.ts';
import { reportRenewals } from './renewals-report.ts';
import { fileOf } from './report-files.ts';
import { readPeriod } from './report-period.ts';
import { reportRevenue } from './revenue-report.ts';
import { reportUsage, reportVersions } from './usage-report.ts';

/** The functions that compute the figures of each report; the head is the same for all reports. */
type Figures = {
  [Kind in ReportKind]: (
    context: AppContext,
    range: DayRange,
    asked: Asked,
    db: Db,
  ) => Promise<Omit<ReportAnswers[Kind], 'success' | 'from' | 'to' | 'software' | 'currency'>>;
};

const FIGURES: Figures = {
  revenue: (_context, range, asked, db) => reportRevenue(db, range, asked),
  renewals: (_context, range, asked, db) => reportRenewals(db, range, asked),
  licenses: (_context, range, asked, db) => reportLicenses(db, range, asked),
  usage: (context, _range, asked, db) => reportUsage(context, asked, db),
  versions: (context, _range, asked, db) => reportVersions(context, asked, db),
  trials: (_context, range, asked, db) => reportTrials(db, range, asked),
  clients: reportClients,
  checks: (_context, range, asked, db) => reportChecks(db, range, asked),
  recurring: reportRecurring,
};

/**
 * Makes the answer of a report.
 * @throws invalid (400) on `to`
 */
async function report<Kind extends ReportKind>(
  context: AppContext,
  kind: Kind,
  query: ReportQuery,
  { permissions }: Pick<Principal, 'permissions'>,
) {
  const now = context.now();
  const { timeZone } = context.config;
  const range = readPeriod(kind, query, now, timeZone);
  const { software = null, currency = null } = query;
  const first = currency ?? (await readSettings(context.db)).currency;
  const readsPayments = permissions.has('payments:read');
  const asked = { now, timeZone, software, currency, first, readsPayments };
  const head = { success: true as const, from: range.start_date, to: range.end_date, software, currency };
  return context.readLately(async (db, asOf) => {
    const figures = await FIGURES[kind](context, range, asked, db);
    const as_of = asOf !== null && asOf < figures.as_of ? asOf : figures.as_of;
    return { ...head, ...figures, as_of } as ReportAnswers[Kind];
  });
}

async function* allAtOnce<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

export const reportRoutes = routesOf('Reportes', (app, context) => {
  for (const kind of REPORT_KINDS) {
    const summary = `Reporte de ${REPORT_COLUMNS[kind].name}`;
    app.get(
      `/licenses/api/reports/${kind}/`,
      {
        config: can('reports:read'),
        schema: {
          summary,
          querystring: reportQueryOf(kind),
          response: { 200: REPORTS[kind] },
        },
      },
      async (request) => report(context, kind, request.query, principalOf(request)),
    );

    app.get(
      `/licenses/api/reports/${kind}/export/`,
      {
        config: can('reports:read'),
        schema: { summary: `${summary} (CSV o Excel)`, querystring: reportExportQueryOf(kind) },
      },
      async (request, reply) => {
        const file = fileOf(kind, await report(context, kind, request.query, principalOf(request)));
        return sendTable(context, reply, request.query, {
          ...file,
          batches: allAtOnce(file.rows),
          hasMoreThan: async (most) => file.rows.length > most,
        });
      },
    );
  }
});
