import type { VersionsReport } from '../../../../contract/reports.ts';
import { versionsReportTexts as texts } from '../../../text/es-reports.ts';
import { formatNumber } from '../../../text/format.ts';
import { ROWS_SHOWN } from '../blank-reports.ts';
import { BarList } from '../chart/bar-list.tsx';
import { percentOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { ReportSection } from './report-section.tsx';

type Row = VersionsReport['results'][number];

const nameOf = ({ version }: Row) => version ?? texts.none;

/** 'Versiones': how many machines run which version of the program. */
export const VersionsSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="versions"
    filters={filters}
    isEmpty={({ installations }) => installations === 0}
    tables={({ results, installations, is_complete }) => [
      {
        caption: texts.chart,
        headings: [texts.version, texts.installations, texts.share],
        rows: results.map((row) => ({
          key: row.version ?? '',
          cells: [nameOf(row), formatNumber(row.installations), percentOf(row.installations, installations)],
        })),
        note: is_complete ? undefined : texts.onlyMost,
      },
    ]}
  >
    {({ results, installations }) => (
      <BarList
        label={texts.chart}
        rows={results.slice(0, ROWS_SHOWN).map((row) => ({
          key: row.version ?? '',
          name: nameOf(row),
          value: `${formatNumber(row.installations)} · ${percentOf(row.installations, installations)}`,
          share: installations === 0 ? 0 : row.installations / installations,
        }))}
        rest={results.length > ROWS_SHOWN && texts.others(results.length - ROWS_SHOWN)}
      />
    )}
  </ReportSection>
);
