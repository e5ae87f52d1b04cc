import { REPORT_COLUMNS } from '../../../../contract/figures/report-columns.ts';
import type { TrialsReport } from '../../../../contract/figures/reports.ts';
import { formatNumber } from '../../../text/format.ts';
import { MonthChart } from '../chart/month-chart.tsx';
import type { DayRange } from '../period.ts';
import { addedUp, isBlank, licensesOn, periodOf, shareText } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { trialsReportTexts as texts } from '../reports-texts.ts';
import { chartOf, tableOf } from '../table-and-chart.ts';
import { Count, Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

const { columns } = REPORT_COLUMNS.trials;

const COUNTS = ['begun', 'converted', 'lost'] as const;
type CountName = (typeof COUNTS)[number];

/** 'Pruebas': trials that began, and how many were converted or lost. */
export const TrialsSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="trials"
    filters={filters}
    isEmpty={({ months }) => isBlank('trials', months)}
    emptyAction={<NewLicense />}
    tables={(report) => {
      const cellOf = (name: CountName) => (row: Record<CountName, number> & DayRange) => (
        <Count value={row[name]} behind={licensesOn(`trial_${name}`, row, filters)} />
      );
      return [
        tableOf('trials', {
          caption: texts.chart,
          report,
          rows: addedUp('trials', report.months),
          cells: { begun: cellOf('begun'), converted: cellOf('converted'), lost: cellOf('lost') },
        }),
      ];
    }}
  >
    {(report) => <Trials report={report} filters={filters} />}
  </ReportSection>
);

function Trials({ report, filters }: { report: TrialsReport; filters: ReportFilters }) {
  const rows = addedUp('trials', report.months);
  const sums = periodOf('trials', rows);
  const ended = sums.converted + sums.lost;
  return (
    <>
      <Figures counts>
        {COUNTS.map((name) => (
          <Figure
            key={name}
            label={columns[name].label}
            value={formatNumber(sums[name])}
            behind={licensesOn(`trial_${name}`, report, filters)}
          />
        ))}
        <Figure
          label={texts.rate}
          value={ended === 0 ? '—' : shareText(sums.converted, ended)}
          hint={texts.rateHint}
        />
      </Figures>
      <MonthChart label={texts.chart} {...chartOf('trials', { report, rows })} />
    </>
  );
}
