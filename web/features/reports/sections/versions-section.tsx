import type { VersionsReport } from '../../../../contract/figures/reports.ts';
import { formatNumber } from '../../../text/format.ts';
import { ROWS_SHOWN } from '../blank-reports.ts';
import { BarList } from '../chart/bar-list.tsx';
import { shareText } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { versionsReportTexts as texts } from '../reports-texts.ts';
import { tableOf } from '../table-and-chart.ts';
import { LicensesLink } from './figures.tsx';
import { ReportSection } from './report-section.tsx';

type Row = VersionsReport['results'][number];

const nameOf = ({ version }: Row) => version ?? texts.none;

/** The version, linked to the licences with a machine that runs it. Machines without a version have no such list. */
const VersionLink = ({ row, filters: { software, currency } }: { row: Row; filters: ReportFilters }) =>
  row.version === null ? (
    nameOf(row)
  ) : (
    <LicensesLink behind={{ software, currency, app_version: row.version }}>{row.version}</LicensesLink>
  );

/** 'Versiones': how many machines run each version of the program. */
export const VersionsSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="versions"
    filters={filters}
    isEmpty={({ installations }) => installations === 0}
    tables={(report) => [
      tableOf('versions', {
        caption: texts.chart,
        report,
        rows: report.results,
        cells: { version: (row) => <VersionLink row={row} filters={filters} /> },
        note: report.is_complete ? undefined : texts.onlyMost,
      }),
    ]}
  >
    {({ results, installations }) => (
      <BarList
        label={texts.chart}
        rows={results.slice(0, ROWS_SHOWN).map((row) => ({
          key: row.version ?? '',
          name: <VersionLink row={row} filters={filters} />,
          value: `${formatNumber(row.installations)} · ${shareText(row.installations, installations)}`,
          share: installations === 0 ? 0 : row.installations / installations,
        }))}
        rest={results.length > ROWS_SHOWN && texts.others(results.length - ROWS_SHOWN)}
      />
    )}
  </ReportSection>
);
