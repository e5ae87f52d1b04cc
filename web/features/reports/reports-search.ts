import { readCurrency, readDay, readId, searchReader } from '../../search-fields.ts';

const REPORT_PERIODS = ['this_month', '3_months', '12_months', 'this_year'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** The period and filters of the reports (REPORT-01). `from` and `to` replace `period`. */
export const readReportsSearch = searchReader((raw) => ({
  period: REPORT_PERIODS.find((period) => period === raw.period),
  from: readDay(raw.from),
  to: readDay(raw.to),
  software: readId(raw.software),
  currency: readCurrency(raw.currency),
}));
export type ReportsSearch = ReturnType<typeof readReportsSearch>;
