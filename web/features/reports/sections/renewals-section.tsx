import type { Currency } from '../../../../contract/base/money.ts';
import { REPORT_COLUMNS } from '../../../../contract/figures/report-columns.ts';
import type { RenewalsReport } from '../../../../contract/figures/reports.ts';
import { countOf, formatMonth, formatPercent } from '../../../text/format.ts';
import { MonthChart } from '../chart/month-chart.tsx';
import { byCurrency, moneyOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { REPORT_LICENSES, reportTexts, renewalsReportTexts as texts } from '../reports-texts.ts';
import { chartOf, tableOf } from '../table-and-chart.ts';
import { CurrencyGroup } from './currency-group.tsx';
import { Figure, Figures, LicensesLink } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

const { columns } = REPORT_COLUMNS.renewals;

type Month = RenewalsReport['months'][number];

/** 'Renovaciones': licences that end in the next twelve months, and the likely income. */
export const RenewalsSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="renewals"
    filters={filters}
    isEmpty={({ totals, ended }) =>
      ended === 0 && totals.every(({ due, maintenance_due }) => due + maintenance_due === 0)
    }
    emptyAction={<NewLicense />}
    tables={(report) =>
      byCurrency(report.months).map(([currency, rows]) =>
        tableOf('renewals', {
          caption: texts.chart(currency),
          report,
          rows,
          cells: {
            month: (row) => (
              <LicensesLink behind={dueOn(row, filters)}>{formatMonth(row.month)}</LicensesLink>
            ),
          },
        }),
      )
    }
  >
    {(report) =>
      byCurrency(report.months).map(([currency, months]) => (
        <CurrencyGroup key={currency} currency={currency} alone={report.totals.length < 2}>
          <Due currency={currency} months={months} report={report} filters={filters} />
        </CurrencyGroup>
      ))
    }
  </ReportSection>
);

/** The filters for active licences that end on these days. */
const dueOn = ({ from, to, currency }: Pick<Month, 'from' | 'to' | 'currency'>, filters: ReportFilters) => ({
  status: 'active' as const,
  expiry_from: from,
  expiry_to: to,
  // Nobody pays for a courtesy, so it is not due (MONEY-09).
  complimentary: 'false' as const,
  software: filters.software,
  currency,
  ordering: 'expiry_date',
});

interface DueProps {
  currency: Currency;
  months: readonly Month[];
  report: RenewalsReport;
  filters: ReportFilters;
}

function Due({ currency, months, report, filters }: DueProps) {
  const { from, to, renewal_rate, ended, renewed, totals } = report;
  const sums = totals.find((row) => row.currency === currency);
  if (!sums) return null;
  const money = moneyOf(currency, totals.length > 1);
  return (
    <>
      <Figures>
        <Figure
          label={columns.amount.label}
          value={money(sums.amount)}
          behind={dueOn({ from, to, currency }, filters)}
          hint={countOf(sums.due, REPORT_LICENSES)}
        />
        <Figure
          label={columns.expected.label}
          value={sums.expected === null ? '—' : money(sums.expected)}
          hint={renewal_rate !== null && texts.byRate(renewal_rate)}
        />
        <Figure
          label={columns.renewal_rate.label}
          value={renewal_rate === null ? '—' : formatPercent(renewal_rate)}
          hint={ended === 0 ? texts.noRate : texts.ofEnded(renewed, ended)}
        />
        {sums.maintenance_due > 0 && (
          <Figure
            label={columns.maintenance_amount.label}
            value={money(sums.maintenance_amount)}
            hint={countOf(sums.maintenance_due, REPORT_LICENSES)}
          />
        )}
      </Figures>
      <MonthChart
        label={texts.chart(currency)}
        {...chartOf('renewals', {
          report,
          rows: months,
          // Without a rate no likely income is known, so the amount is not divided.
          without: renewal_rate === null ? ['expected', 'rest'] : ['amount'],
          formats: { due: (count) => countOf(count, REPORT_LICENSES) },
        })}
        periodName={reportTexts.nextMonths}
      />
    </>
  );
}
