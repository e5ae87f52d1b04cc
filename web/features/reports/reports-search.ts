import { readCurrency, readDay, readId, searchReader } from '../../search-fields.ts';

const REPORT_PERIODS = ['this_month', 'last_month', 'quarter', '3_months', '12_months', 'this_year'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** The tabs by the names that the address has (DESK-09). The first has none there. */
export const REPORT_TABS = ['dinero', 'licencias', 'uso', 'clientes'] as const;
export type ReportTab = (typeof REPORT_TABS)[number];

/** The tab, the period and the filters of the reports (REPORT-01). `from` and `to` replace `period`. */
export const readReportsSearch = searchReader((raw) => ({
  period: REPORT_PERIODS.find((period) => period === raw.period),
  from: readDay(raw.from),
  to: readDay(raw.to),
  tab: REPORT_TABS.find((tab) => tab === raw.tab),
  software: readId(raw.software),
  currency: readCurrency(raw.currency),
}));
export type ReportsSearch = ReturnType<typeof readReportsSearch>;
