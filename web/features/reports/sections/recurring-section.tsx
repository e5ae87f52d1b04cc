import type { Currency } from '../../../../contract/base/money.ts';
import type { RecurringReport } from '../../../../contract/figures/recurring.ts';
import { MOVE_SIGNS, RECURRING_MOVES } from '../../../../contract/figures/recurring-moves.ts';
import { KIND_NOUNS } from '../../../text/es.ts';
import { countOf, formatMonth, formatNumber, formatPercent } from '../../../text/format.ts';
import type { WaterfallStep } from '../chart/waterfall.ts';
import { WaterfallChart } from '../chart/waterfall-chart.tsx';
import { recurringSentence, recurringTexts as texts } from '../recurring-texts.ts';
import { byCurrency, moneyOf, sumsOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { reportTexts } from '../reports-texts.ts';
import { CurrencyGroup } from './currency-group.tsx';
import { Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

type Month = RecurringReport['months'][number];

const COLUMNS = ['start', ...RECURRING_MOVES, 'end'] as const;

/** 'Venta recurrente': what clients are worth in a month, and who came, grew, shrank and left (REPORT-05). */
export const RecurringSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="recurring"
    filters={filters}
    isEmpty={({ months }) => months.every((month) => COLUMNS.every((name) => month[name] === 0))}
    emptyAction={<NewLicense />}
    tables={({ months, totals }) =>
      byCurrency(months).map(([currency, rows]) => {
        const money = moneyOf(currency, totals.length > 1);
        const period = periodOf(rows);
        const cellsOf = (row: Omit<Period, 'from' | 'to'>) => [
          ...COLUMNS.map((name) => money(row[name])),
          formatNumber(row.clients),
          money(row.arpa),
        ];
        return {
          caption: texts.chart(currency),
          headings: [
            reportTexts.month,
            ...COLUMNS.map((name) => texts.steps[name]),
            texts.clients,
            texts.arpa,
          ],
          rows: [
            ...rows.map((row) => ({ key: row.month, cells: [formatMonth(row.month), ...cellsOf(row)] })),
            { key: 'total', cells: [reportTexts.wholePeriod, ...cellsOf(period)] },
          ],
        };
      })
    }
  >
    {({ months, totals }) =>
      byCurrency(months).map(([currency, rows]) => (
        <CurrencyGroup key={currency} currency={currency} alone={totals.length < 2}>
          <Recurring
            currency={currency}
            period={periodOf(rows)}
            retention={totals.find((row) => row.currency === currency)}
            mixed={totals.length > 1}
            isUntilToday={filters.isUntilToday}
          />
        </CurrencyGroup>
      ))
    }
  </ReportSection>
);

type Period = Pick<Month, (typeof COLUMNS)[number] | 'clients' | 'arpa' | 'from' | 'to'>;

/** All months together: the first start, the last end, and what happened in between. */
function periodOf(months: readonly Month[]): Period {
  const [first, last] = [months[0]!, months.at(-1)!];
  return { ...last, ...sumsOf(months, RECURRING_MOVES), start: first.start, from: first.from };
}

interface RecurringProps {
  currency: Currency;
  period: Period;
  retention: RecurringReport['totals'][number] | undefined;
  mixed: boolean;
  isUntilToday: boolean;
}

function Recurring({ currency, period, retention, mixed, isUntilToday }: RecurringProps) {
  const money = moneyOf(currency, mixed);
  const steps: WaterfallStep[] = [
    { key: 'start', name: texts.steps.start, kind: 'total', value: period.start },
    ...RECURRING_MOVES.map((name) => ({
      key: name,
      name: texts.steps[name],
      kind: MOVE_SIGNS[name] > 0 ? ('gain' as const) : ('loss' as const),
      value: period[name],
    })),
    { key: 'end', name: texts.steps.end, kind: 'total', value: period.end },
  ];
  return (
    <>
      <Figures amounts>
        <Figure
          label={isUntilToday ? texts.endToday : texts.endThen}
          value={inLines(money(period.end))}
          hint={countOf(period.clients, KIND_NOUNS.clients)}
        />
        <Figure label={texts.arpa} value={inLines(money(period.arpa))} hint={texts.arpaHint} />
        <Figure label={texts.nrr} value={percentOrNone(retention?.nrr)} hint={texts.nrrHint} />
        <Figure label={texts.grr} value={percentOrNone(retention?.grr)} hint={texts.grrHint} />
      </Figures>
      <p>{recurringSentence(period, money)}</p>
      <WaterfallChart label={texts.chart(currency)} steps={steps} format={money} />
    </>
  );
}

/** An amount that may break after its currency: 'MXN 4,016,970.89'. */
const inLines = (amount: string) => amount.replaceAll('\u00a0', ' ');

const percentOrNone = (percent: number | null | undefined) =>
  percent === null || percent === undefined ? '—' : formatPercent(percent);
