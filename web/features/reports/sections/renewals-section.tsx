import type { Currency } from '../../../../contract/base/money.ts';
import type { RenewalsReport } from '../../../../contract/figures/reports.ts';
import { countOf, formatMonth, formatNumber, formatPercent } from '../../../text/format.ts';
import { MonthChart } from '../chart/month-chart.tsx';
import type { Series } from '../chart/plot.ts';
import { byCurrency, moneyOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { REPORT_LICENSES, reportTexts, renewalsReportTexts as texts } from '../reports-texts.ts';
import { CurrencyGroup } from './currency-group.tsx';
import { Figure, Figures, LicensesLink } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

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
    tables={({ months, totals }) =>
      byCurrency(months).map(([currency, rows]) => ({
        caption: texts.chart(currency),
        headings: [
          reportTexts.month,
          texts.due,
          texts.amount,
          texts.expected,
          texts.maintenanceDue,
          texts.maintenanceAmount,
        ],
        rows: rows.map((row) => {
          const money = moneyOf(currency, totals.length > 1);
          return {
            key: row.month,
            cells: [
              <LicensesLink key="month" behind={dueOn(row, filters)}>
                {formatMonth(row.month)}
              </LicensesLink>,
              formatNumber(row.due),
              money(row.amount),
              row.expected === null ? '—' : money(row.expected),
              formatNumber(row.maintenance_due),
              money(row.maintenance_amount),
            ],
          };
        }),
      }))
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
  const series: Series[] = [
    { name: texts.expected, look: 'solid', values: months.map(({ expected }) => expected ?? 0) },
    {
      name: texts.rest,
      look: 'outlined',
      values: months.map(({ amount, expected }) => amount - (expected ?? 0)),
    },
  ];
  return (
    <>
      <Figures>
        <Figure
          label={texts.amount}
          value={money(sums.amount)}
          behind={dueOn({ from, to, currency }, filters)}
          hint={countOf(sums.due, REPORT_LICENSES)}
        />
        <Figure
          label={texts.expected}
          value={sums.expected === null ? '—' : money(sums.expected)}
          hint={renewal_rate !== null && texts.byRate(renewal_rate)}
        />
        <Figure
          label={texts.rate}
          value={renewal_rate === null ? '—' : formatPercent(renewal_rate)}
          hint={ended === 0 ? texts.noRate : texts.ofEnded(renewed, ended)}
        />
        {sums.maintenance_due > 0 && (
          <Figure
            label={texts.maintenanceAmount}
            value={money(sums.maintenance_amount)}
            hint={countOf(sums.maintenance_due, REPORT_LICENSES)}
          />
        )}
      </Figures>
      <MonthChart
        label={texts.chart(currency)}
        months={months.map(({ month }) => month)}
        // Without a rate no likely income is known, so only one series is shown.
        series={
          renewal_rate === null ? series.slice(1).map((rest) => ({ ...rest, name: texts.amount })) : series
        }
        format={money}
        periodName={reportTexts.nextMonths}
        more={(month) => [
          {
            name: texts.due,
            value: countOf(month === null ? sums.due : (months[month]?.due ?? 0), REPORT_LICENSES),
          },
        ]}
      />
    </>
  );
}
