import type { Currency } from '../../../../contract/base/money.ts';
import { REPORT_COLUMNS } from '../../../../contract/figures/report-columns.ts';
import type { RevenueReport } from '../../../../contract/figures/reports.ts';
import { Offered } from '../../../components/screen/offered.tsx';
import { Link } from '../../../navigation/link.tsx';
import { PATHS } from '../../../paths.ts';
import { formatMonth, formatNumber } from '../../../text/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { TrendMark } from '../../../ui/stat-card.tsx';
import { MonthChart } from '../chart/month-chart.tsx';
import { byCurrency, licensesOn, moneyOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { reportTexts, revenueReportTexts as texts } from '../reports-texts.ts';
import { chartOf, tableOf } from '../table-and-chart.ts';
import { CurrencyGroup } from './currency-group.tsx';
import { Figure, Figures, LicensesLink } from './figures.tsx';
import { ReportSection } from './report-section.tsx';

const { columns } = REPORT_COLUMNS.revenue;

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
    tables={(report) =>
      byCurrency(report.months).map(([currency, rows]) =>
        tableOf('revenue', {
          caption: texts.chart(currency),
          report,
          rows,
          without: report.totals.every(({ collected }) => collected === null) ? ['collected'] : [],
          cells: {
            month: (row) => (
              <LicensesLink behind={soldOn(row, filters)}>{formatMonth(row.month)}</LicensesLink>
            ),
          },
        }),
      )
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

/** The filters for licences with a term sold on these days. */
const soldOn = (month: Pick<Month, 'from' | 'to' | 'currency'>, { software }: ReportFilters) =>
  licensesOn('sold', month, { software, currency: month.currency });

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
  return (
    <>
      <Figures>
        <Figure
          label={columns.total.label}
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
          <Figure label={columns.collected.label} value={money(sums.collected)} hint={texts.collectedHint} />
        )}
        <Figure
          label={columns.count.label}
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
        {...chartOf('revenue', {
          report,
          rows: months,
          without: [
            // Shown only to vendors who sell updates.
            ...(sums.maintenance > 0 ? [] : (['maintenance'] as const)),
            ...(sums.collected === null ? (['collected'] as const) : []),
          ],
        })}
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
