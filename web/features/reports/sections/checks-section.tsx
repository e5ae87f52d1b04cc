import { percentOf, REPORT_COLUMNS } from '../../../../contract/figures/report-columns.ts';
import type { ChecksReport } from '../../../../contract/figures/reports.ts';
import { reasonText } from '../../../text/es-checks.ts';
import { formatNumber, formatPercent } from '../../../text/format.ts';
import { monthsIn } from '../blank-reports.ts';
import { BarList } from '../chart/bar-list.tsx';
import { MonthChart } from '../chart/month-chart.tsx';
import { shareText, sum } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { checksReportTexts as texts } from '../reports-texts.ts';
import { chartOf, tableOf } from '../table-and-chart.ts';
import { Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';

const { columns } = REPORT_COLUMNS.checks;

/** 'Actividad de los programas': validations by installed programs, and the reasons of refusals (SELL-07). */
export const ChecksSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="checks"
    filters={filters}
    isEmpty={({ days }) => days.length === 0}
    tables={(report) => [
      tableOf('checks', { table: 'months', caption: texts.chart, report, rows: byMonth(report) }),
      tableOf('checks', {
        table: 'reasons',
        caption: texts.reasons,
        report,
        rows: byReason(report),
        cells: { reason: ({ reason }) => reasonText(reason) },
      }),
    ]}
  >
    {(report) => <Checks report={report} />}
  </ReportSection>
);

function Checks({ report }: { report: ChecksReport }) {
  const rows = byMonth(report);
  const accepted = sum(rows.map((month) => month.accepted));
  const refused = sum(rows.map((month) => month.refused));
  const all = accepted + refused;
  const reasons = byReason(report);
  return (
    <>
      <Figures>
        <Figure label={texts.all} value={formatNumber(all)} />
        <Figure
          label={columns.accepted.label}
          value={formatNumber(accepted)}
          hint={shareText(accepted, all)}
        />
        <Figure label={columns.refused.label} value={formatNumber(refused)} hint={shareText(refused, all)} />
      </Figures>
      <MonthChart label={texts.chart} {...chartOf('checks', { report, rows })} />
      {reasons.length > 0 && (
        <BarList
          label={texts.reasons}
          rows={reasons.map(({ reason, count, share }) => ({
            key: reason,
            name: reasonText(reason),
            value: `${formatNumber(count)} · ${formatPercent(share)}`,
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
    return {
      month,
      accepted: countIn(ofMonth.filter(({ reason }) => reason === null)),
      refused: countIn(ofMonth.filter(({ reason }) => reason !== null)),
    };
  });
}

/** The refusals by reason, most frequent first. */
function byReason({ days }: ChecksReport) {
  const refusals = days.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]));
  return [...Map.groupBy(refusals, ({ reason }) => reason)]
    .map(([reason, rows]) => ({ reason, count: countIn(rows) }))
    .sort((a, b) => b.count - a.count)
    .map((row) => ({ ...row, share: percentOf(row.count, countIn(refusals)) ?? 0 }));
}

const countIn = (rows: readonly { count: number }[]) => sum(rows.map(({ count }) => count));
