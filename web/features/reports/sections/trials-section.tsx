import type { TrialsReport } from '../../../../contract/figures/reports.ts';
import { formatMonth, formatNumber } from '../../../text/format.ts';
import { MonthChart } from '../chart/month-chart.tsx';
import { addedUp, dayRangeOf, percentOf, sumsOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { reportTexts, trialsReportTexts as texts } from '../reports-texts.ts';
import { Count, Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

const COUNTS = ['begun', 'converted', 'lost'] as const;
type CountName = (typeof COUNTS)[number];

/** 'Pruebas': trials that began, and how many were converted or lost. */
export const TrialsSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="trials"
    filters={filters}
    isEmpty={({ months }) => months.every((month) => COUNTS.every((name) => month[name] === 0))}
    emptyAction={<NewLicense />}
    tables={({ months }) => [
      {
        caption: texts.chart,
        headings: [reportTexts.month, ...COUNTS.map((name) => texts[name])],
        rows: addedUp(months, COUNTS).map((row) => ({
          key: row.month,
          cells: [
            formatMonth(row.month),
            ...COUNTS.map((name) => (
              <Count key={name} value={row[name]} behind={trialsOn(name, row, filters)} />
            )),
          ],
        })),
      },
    ]}
  >
    {(report) => <Trials report={report} filters={filters} />}
  </ReportSection>
);

/** The filters for trials that began, were converted or were lost on these days. */
const trialsOn = (
  name: CountName,
  { from, to }: { from: string; to: string },
  { software, currency }: ReportFilters,
) => ({ [`trial_${name}`]: dayRangeOf(from, to), software, currency });

function Trials({ report, filters }: { report: TrialsReport; filters: ReportFilters }) {
  const months = addedUp(report.months, COUNTS);
  const sums = sumsOf(months, COUNTS);
  const ended = sums.converted + sums.lost;
  return (
    <>
      <Figures counts>
        {COUNTS.map((name) => (
          <Figure
            key={name}
            label={texts[name]}
            value={formatNumber(sums[name])}
            behind={trialsOn(name, report, filters)}
          />
        ))}
        <Figure
          label={texts.rate}
          value={ended === 0 ? '—' : percentOf(sums.converted, ended)}
          hint={texts.rateHint}
        />
      </Figures>
      <MonthChart
        label={texts.chart}
        months={months.map(({ month }) => month)}
        series={[
          { name: texts.begun, look: 'solid', values: months.map(({ begun }) => begun) },
          {
            name: texts.converted,
            look: 'striped',
            column: 1,
            values: months.map(({ converted }) => converted),
          },
          { name: texts.lost, look: 'dotted', column: 1, values: months.map(({ lost }) => lost) },
        ]}
        format={formatNumber}
        counts
      />
    </>
  );
}
