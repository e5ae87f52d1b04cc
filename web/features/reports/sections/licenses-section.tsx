import { REPORT_COLUMNS } from '../../../../contract/figures/report-columns.ts';
import type { LicensesReport } from '../../../../contract/figures/reports.ts';
import { formatNumber } from '../../../text/format.ts';
import { MonthChart } from '../chart/month-chart.tsx';
import { addedUp, isBlank, licensesOn, periodOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { licensesReportTexts as texts } from '../reports-texts.ts';
import { chartOf, tableOf } from '../table-and-chart.ts';
import { Count, Figure, Figures } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

const { columns } = REPORT_COLUMNS.licenses;

/** 'Licencias': the number of active licences at the end of each month, and how many were gained and lost. */
export const LicensesSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="licenses"
    filters={filters}
    isEmpty={({ months }) => isBlank('licenses', months)}
    emptyAction={<NewLicense />}
    tables={(report) => [
      tableOf('licenses', {
        caption: texts.activeChart,
        report,
        rows: addedUp('licenses', report.months),
        cells: {
          issued: (row) => <Count value={row.issued} behind={licensesOn('issued', row, filters)} />,
          lost: (row) => <Count value={row.lost} behind={licensesOn('lost', row, filters)} />,
        },
      }),
    ]}
  >
    {(report) => <LicenseCounts report={report} filters={filters} />}
  </ReportSection>
);

function LicenseCounts({ report, filters }: { report: LicensesReport; filters: ReportFilters }) {
  const rows = addedUp('licenses', report.months);
  const { active, issued, lost } = periodOf('licenses', rows);
  // The list shows the current licences, so there is no link if the period ended earlier.
  const isNow = filters.isUntilToday;
  return (
    <>
      <Figures>
        <Figure
          label={isNow ? texts.activeNow : texts.activeThen}
          value={formatNumber(active)}
          behind={
            isNow ? { active: 'true', software: filters.software, currency: filters.currency } : undefined
          }
        />
        <Figure
          label={columns.issued.label}
          value={formatNumber(issued)}
          behind={licensesOn('issued', report, filters)}
        />
        <Figure
          label={columns.lost.label}
          value={formatNumber(lost)}
          behind={licensesOn('lost', report, filters)}
          hint={texts.lostHint}
        />
      </Figures>
      <MonthChart label={texts.activeChart} {...chartOf('licenses', { report, rows, chart: 'active' })} />
      <MonthChart label={texts.movesChart} {...chartOf('licenses', { report, rows, chart: 'moves' })} />
    </>
  );
}
