import type { LicensesReport } from '../../../../contract/figures/reports.ts';
import { formatMonth, formatNumber } from '../../../text/format.ts';
import { MonthChart } from '../chart/month-chart.tsx';
import { addedUp, dayRangeOf, sumsOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { reportTexts, licensesReportTexts as texts } from '../reports-texts.ts';
import { Count, Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

const COUNTS = ['active', 'issued', 'gained', 'lost'] as const;

/** 'Licencias': the number of active licences at the end of each month, and how many were gained and lost. */
export const LicensesSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="licenses"
    filters={filters}
    isEmpty={({ months }) => months.every((month) => COUNTS.every((name) => month[name] === 0))}
    emptyAction={<NewLicense />}
    tables={({ months }) => [
      {
        caption: texts.activeChart,
        headings: [reportTexts.month, texts.active, texts.issued, texts.gained, texts.lost],
        rows: addedUp(months, COUNTS).map((row) => ({
          key: row.month,
          cells: [
            formatMonth(row.month),
            formatNumber(row.active),
            <Count key="issued" value={row.issued} behind={issuedOn(row, filters)} />,
            formatNumber(row.gained),
            <Count key="lost" value={row.lost} behind={lostOn(row, filters)} />,
          ],
        })),
      },
    ]}
  >
    {(report) => <Lives report={report} filters={filters} />}
  </ReportSection>
);

type Days = { from: string; to: string };

const issuedOn = ({ from, to }: Days, { software, currency }: ReportFilters) => ({
  issued: dayRangeOf(from, to),
  software,
  currency,
});
const lostOn = ({ from, to }: Days, { software, currency }: ReportFilters) => ({
  lost: dayRangeOf(from, to),
  software,
  currency,
});

function Lives({ report, filters }: { report: LicensesReport; filters: ReportFilters }) {
  const { from, to } = report;
  const months = addedUp(report.months, COUNTS);
  const { issued, gained, lost } = sumsOf(months, COUNTS);
  const active = months.at(-1)?.active ?? 0;
  // The list shows the current licences, so there is no link if the period ended earlier.
  const isNow = filters.isUntilToday;
  const names = months.map(({ month }) => month);
  const count = formatNumber;
  return (
    <>
      <Figures>
        <Figure
          label={isNow ? texts.activeNow : texts.activeThen}
          value={count(active)}
          behind={
            isNow ? { active: 'true', software: filters.software, currency: filters.currency } : undefined
          }
        />
        <Figure label={texts.issued} value={count(issued)} behind={issuedOn({ from, to }, filters)} />
        <Figure
          label={texts.lost}
          value={count(lost)}
          behind={lostOn({ from, to }, filters)}
          hint={texts.lostHint}
        />
      </Figures>
      <MonthChart
        label={texts.activeChart}
        months={names}
        series={[
          {
            name: texts.active,
            look: 'line',
            values: months.map((month) => month.active),
            ofPeriod: count(active),
          },
        ]}
        format={count}
        counts
      />
      <MonthChart
        label={texts.movesChart}
        months={names}
        series={[
          { name: texts.issued, look: 'solid', values: months.map((month) => month.issued) },
          { name: texts.lost, look: 'striped', below: true, values: months.map((month) => month.lost) },
        ]}
        format={count}
        counts
        more={(month) => [
          { name: texts.gained, value: count(month === null ? gained : (months[month]?.gained ?? 0)) },
        ]}
      />
    </>
  );
}
