import type { Currency } from '../../../../contract/base/money.ts';
import type { RevenueReport } from '../../../../contract/figures/reports.ts';
import { Offered } from '../../../components/screen/offered.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { formatMonth, formatNumber } from '../../../text/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { TrendMark } from '../../../ui/stat-card.tsx';
import { MonthChart } from '../chart/month-chart.tsx';
import type { Series } from '../chart/plot.ts';
import { byCurrency, dayRangeOf, moneyOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { reportTexts, revenueReportTexts as texts } from '../reports-texts.ts';
import { CurrencyGroup } from './currency-group.tsx';
import { Figure, Figures, LicensesLink } from './figures.tsx';
import { ReportSection } from './report-section.tsx';

type Month = RevenueReport['months'][number];

/**
 * 'Ventas y cobros': new and renewed sales, net, compared with the previous period, and what was collected beside them,
 * with tax (MONEY-04). Who may not read payments sees the sales alone.
 */
export const RevenueSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="revenue"
    filters={filters}
    isEmpty={({ months, totals }) =>
      totals.every(({ count, previous }) => count === 0 && previous === 0) &&
      months.every(({ collected }) => !collected)
    }
    emptyAction={<NewLicense />}
    tables={({ months, totals }) =>
      byCurrency(months).map(([currency, rows]) => ({
        caption: texts.chart(currency),
        headings: [
          reportTexts.month,
          // First, so that a narrow screen does not hide it.
          texts.total,
          ...(hasCollected(totals) ? [texts.collected] : []),
          texts.new,
          texts.renewal,
          texts.upgrade,
          texts.maintenance,
          texts.previous,
          texts.count,
        ],
        rows: rows.map((row) => {
          const money = moneyOf(currency, totals.length > 1);
          return {
            key: row.month,
            cells: [
              <LicensesLink key="month" behind={soldOn(row, filters)}>
                {formatMonth(row.month)}
              </LicensesLink>,
              ...[
                row.total,
                ...(row.collected === null ? [] : [row.collected]),
                row.new,
                row.renewal,
                row.upgrade,
                row.maintenance,
                row.previous,
              ].map(money),
              formatNumber(row.count),
            ],
          };
        }),
      }))
    }
  >
    {(report) =>
      byCurrency(report.months).map(([currency, months]) => (
        <CurrencyGroup key={currency} currency={currency} alone={report.totals.length < 2}>
          <Sales currency={currency} months={months} report={report} filters={filters} />
        </CurrencyGroup>
      ))
    }
  </ReportSection>
);

/** Whether the reader may see what was collected. */
const hasCollected = (totals: RevenueReport['totals']) => totals.every(({ collected }) => collected !== null);

/** The filters for licences with a term sold on these days. */
const soldOn = ({ from, to, currency }: Pick<Month, 'from' | 'to' | 'currency'>, filters: ReportFilters) => ({
  sold: dayRangeOf(from, to),
  software: filters.software,
  currency,
});

interface SalesProps {
  currency: Currency;
  months: readonly Month[];
  report: RevenueReport;
  filters: ReportFilters;
}

function Sales({ currency, months, report, filters }: SalesProps) {
  const { from, to, previous_from, previous_to, totals } = report;
  const sums = totals.find((row) => row.currency === currency);
  if (!sums) return null;
  const money = moneyOf(currency, totals.length > 1);
  const lastMonth = lastMonthIn(months, filters);
  const series: Series[] = [
    { name: texts.new, look: 'solid', values: months.map((month) => month.new) },
    { name: texts.renewal, look: 'striped', values: months.map((month) => month.renewal) },
    { name: texts.upgrade, look: 'dotted', values: months.map((month) => month.upgrade) },
    // Shown only to vendors who sell updates.
    ...(sums.maintenance > 0
      ? [
          {
            name: texts.maintenance,
            look: 'outlined' as const,
            values: months.map((month) => month.maintenance),
          },
        ]
      : []),
    ...(sums.collected === null
      ? []
      : [
          {
            name: texts.collected,
            look: 'lined' as const,
            column: 1,
            values: months.map((month) => month.collected ?? 0),
          },
        ]),
    { name: texts.previous, look: 'mark', values: months.map((month) => month.previous) },
  ];
  return (
    <>
      <Figures>
        <Figure
          label={texts.total}
          value={money(sums.total)}
          behind={soldOn({ from, to, currency }, filters)}
          hint={
            sums.change === null ? (
              texts.nothingBefore
            ) : (
              <>
                <TrendMark change={sums.change} /> {texts.against(previous_from, previous_to)}
              </>
            )
          }
        />
        {sums.collected !== null && (
          <Figure label={texts.collected} value={money(sums.collected)} hint={texts.collectedHint} />
        )}
        <Figure
          label={texts.count}
          value={formatNumber(sums.count)}
          hint={sums.count > 0 && texts.average(money(sums.total / sums.count))}
        />
        {lastMonth && (
          <Figure
            label={texts.lastMonth}
            value={money(lastMonth.total)}
            behind={lastMonth.count > 0 ? soldOn(lastMonth, filters) : undefined}
            hint={formatMonth(lastMonth.month)}
          />
        )}
      </Figures>
      <MonthChart
        label={texts.chart(currency)}
        months={months.map(({ month }) => month)}
        series={series}
        format={money}
        more={(month) => [
          {
            name: texts.total,
            value: money(month === null ? sums.total : (months[month]?.total ?? 0)),
          },
        ]}
      />
    </>
  );
}

/** The month before the current one, if the period has all of it: what a person asks first on the first of a month. */
function lastMonthIn(months: readonly Month[], { from, isUntilToday }: ReportFilters): Month | undefined {
  const last = months.at(-2);
  return last && isUntilToday && from <= `${last.month}-01` ? last : undefined;
}

/** The button in the empty state. */
export const NewLicense = () => (
  <Offered what="licenses.create">
    <Link to={PATHS.licenses} search={{ nuevo: '1' }} className={buttonClass('secondary')}>
      {reportTexts.newLicense}
    </Link>
  </Offered>
);
