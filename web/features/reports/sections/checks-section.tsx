import type { ChecksReport } from '../../../../contract/figures/reports.ts';
import { reasonText } from '../../../text/es-checks.ts';
import { formatMonth, formatNumber } from '../../../text/format.ts';
import { monthsIn } from '../blank-reports.ts';
import { BarList } from '../chart/bar-list.tsx';
import { MonthChart } from '../chart/month-chart.tsx';
import { percentOf, sumsOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { reportTexts, checksReportTexts as texts } from '../reports-texts.ts';
import { Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';

/** 'Actividad de los programas': validations by installed programs, and the reasons of refusals (SELL-07). */
export const ChecksSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="checks"
    filters={filters}
    isEmpty={({ days }) => days.length === 0}
    tables={(report) => [
      {
        caption: texts.chart,
        headings: [reportTexts.month, texts.accepted, texts.refused],
        rows: byMonth(report).map(({ month, accepted, refused }) => ({
          key: month,
          cells: [formatMonth(month), formatNumber(accepted), formatNumber(refused)],
        })),
      },
      {
        caption: texts.reasons,
        headings: [texts.reason, texts.count, texts.share],
        rows: byReason(report).map(({ reason, count, share }) => ({
          key: reason,
          cells: [reasonText(reason), formatNumber(count), share],
        })),
      },
    ]}
  >
    {(report) => <Checks report={report} />}
  </ReportSection>
);

function Checks({ report }: { report: ChecksReport }) {
  const months = byMonth(report);
  const { accepted, refused } = sumsOf(months, ['accepted', 'refused']);
  const all = accepted + refused;
  const reasons = byReason(report);
  return (
    <>
      <Figures>
        <Figure label={texts.all} value={formatNumber(all)} />
        <Figure label={texts.accepted} value={formatNumber(accepted)} hint={percentOf(accepted, all)} />
        <Figure label={texts.refused} value={formatNumber(refused)} hint={percentOf(refused, all)} />
      </Figures>
      <MonthChart
        label={texts.chart}
        months={months.map(({ month }) => month)}
        series={[
          { name: texts.accepted, look: 'solid', values: months.map((month) => month.accepted) },
          { name: texts.refused, look: 'striped', values: months.map((month) => month.refused) },
        ]}
        format={formatNumber}
        counts
      />
      {reasons.length > 0 && (
        <BarList
          label={texts.reasons}
          rows={reasons.map(({ reason, count, share }) => ({
            key: reason,
            name: reasonText(reason),
            value: `${formatNumber(count)} · ${share}`,
            share: refused === 0 ? 0 : count / refused,
          }))}
        />
      )}
    </>
  );
}

/** Adds up the days of each month. */
function byMonth({ from, to, days }: ChecksReport) {
  return monthsIn({ from, to }).map((first) => {
    const month = first.slice(0, 7);
    const ofMonth = days.filter(({ day }) => day.startsWith(month));
    const { count: all } = sumsOf(ofMonth, ['count']);
    const { count: accepted } = sumsOf(
      ofMonth.filter(({ reason }) => reason === null),
      ['count'],
    );
    return { month, accepted, refused: all - accepted };
  });
}

/** The refusals by reason, most frequent first. */
function byReason({ days }: ChecksReport) {
  const refusals = days.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]));
  const { count: all } = sumsOf(refusals, ['count']);
  return [...Map.groupBy(refusals, ({ reason }) => reason)]
    .map(([reason, rows]) => ({ reason, ...sumsOf(rows, ['count']) }))
    .sort((a, b) => b.count - a.count)
    .map((row) => ({ ...row, share: percentOf(row.count, all) }));
}
