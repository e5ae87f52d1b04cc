import type { RecurringReport } from '../../../../contract/figures/recurring.ts';
import { REPORT_COLUMNS } from '../../../../contract/figures/report-columns.ts';
import { KIND_NOUNS } from '../../../text/es.ts';
import { countOf, formatMonth, formatPercent } from '../../../text/format.ts';
import { WaterfallChart } from '../chart/waterfall-chart.tsx';
import { recurringSentence, recurringTexts as texts } from '../recurring-texts.ts';
import { byCurrency, isBlank, moneyOf, periodOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { reportTexts } from '../reports-texts.ts';
import { stepsOf, tableOf } from '../table-and-chart.ts';
import { CurrencyGroup } from './currency-group.tsx';
import { Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

const { columns } = REPORT_COLUMNS.recurring;

type Month = RecurringReport['months'][number];

/** 'Venta recurrente': what clients are worth in a month, and who came, grew, shrank and left (REPORT-05). */
export const RecurringSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="recurring"
    filters={filters}
    isEmpty={({ months }) => isBlank('recurring', months)}
    emptyAction={<NewLicense />}
    tables={(report) =>
      byCurrency(report.months).map(([currency, rows]) =>
        tableOf('recurring', {
          caption: texts.chart(currency),
          report,
          rows: [...rows, { ...periodOf('recurring', rows), month: WHOLE }],
          cells: { month: ({ month }) => (month === WHOLE ? reportTexts.wholePeriod : formatMonth(month)) },
        }),
      )
    }
  >
    {(report) =>
      byCurrency(report.months).map(([currency, rows]) => (
        <CurrencyGroup key={currency} currency={currency} alone={report.totals.length < 2}>
          <Recurring
            period={periodOf('recurring', rows)}
            report={report}
            isUntilToday={filters.isUntilToday}
          />
        </CurrencyGroup>
      ))
    }
  </ReportSection>
);

/** In place of the month, in the row of all months. */
const WHOLE = '';

interface RecurringProps {
  /** All months together: the first start, the last end, and what happened in between. */
  period: Month;
  report: RecurringReport;
  isUntilToday: boolean;
}

function Recurring({ period, report, isUntilToday }: RecurringProps) {
  const { currency } = period;
  const money = moneyOf(currency, report.totals.length > 1);
  const retention = report.totals.find((row) => row.currency === currency);
  return (
    <>
      <Figures amounts>
        <Figure
          label={isUntilToday ? texts.endToday : texts.endThen}
          value={inLines(money(period.end))}
          hint={countOf(period.clients, KIND_NOUNS.clients)}
        />
        <Figure label={columns.arpa.label} value={inLines(money(period.arpa))} hint={texts.arpaHint} />
        <Figure label={columns.nrr.label} value={percentOrNone(retention?.nrr)} hint={texts.nrrHint} />
        <Figure label={columns.grr.label} value={percentOrNone(retention?.grr)} hint={texts.grrHint} />
      </Figures>
      <p>{recurringSentence(period, money)}</p>
      <WaterfallChart
        label={texts.chart(currency)}
        steps={stepsOf('recurring', report, period)}
        format={money}
      />
    </>
  );
}

/** An amount that may break after its currency: 'MXN 4,016,970.89'. */
const inLines = (amount: string) => amount.replaceAll('\u00a0', ' ');

const percentOrNone = (percent: number | null | undefined) =>
  percent === null || percent === undefined ? '—' : formatPercent(percent);
