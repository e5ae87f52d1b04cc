import { REPORT_COLUMNS } from '../../../../contract/figures/report-columns.ts';
import type { UsageReport } from '../../../../contract/figures/reports.ts';
import { RecordLink } from '../../../components/record/record-links.tsx';
import { softwareOption } from '../../../text/es-lists.ts';
import { formatNumber, formatPercent } from '../../../text/format.ts';
import { ROWS_SHOWN } from '../blank-reports.ts';
import { BarList } from '../chart/bar-list.tsx';
import { moneyOf } from '../report-rows.ts';
import type { ReportFilters } from '../reports.api.ts';
import { usageReportTexts as texts } from '../reports-texts.ts';
import { tableOf } from '../table-and-chart.ts';
import { Figure, Figures, LicensesLink } from './figures.tsx';
import { ReportSection } from './report-section.tsx';
import { NewLicense } from './revenue-section.tsx';

const { columns } = REPORT_COLUMNS.usage;

/** 'Uso': used seats, licences without a free seat, and active licences without installations. */
export const UsageSection = ({ filters }: { filters: ReportFilters }) => (
  <ReportSection
    kind="usage"
    filters={filters}
    isEmpty={({ seats_total, installations }) => seats_total === 0 && installations === 0}
    emptyAction={<NewLicense />}
    tables={(report) => [
      tableOf('usage', {
        caption: texts.chart,
        report,
        rows: report.by_software,
        cells: { software: ({ software }) => softwareOption(software.name, software.version) },
        note: report.by_software_is_complete ? undefined : texts.onlyMost,
      }),
    ]}
  >
    {(report) => <Use report={report} filters={filters} />}
  </ReportSection>
);

function Use({ report, filters: { software, currency } }: { report: UsageReport; filters: ReportFilters }) {
  const { seats_total, seats_used, used_percent, full, unused, unused_amounts, installations, silent } =
    report;
  const worth = unused_amounts
    .filter(({ amount }) => amount > 0)
    .map((row) => moneyOf(row.currency, unused_amounts.length > 1)(row.amount))
    .join(' · ');
  const narrowed = { software, currency };
  return (
    <>
      <Figures counts>
        <Figure
          label={texts.seats}
          value={formatPercent(used_percent)}
          hint={texts.ofSeats(seats_used, seats_total)}
        />
        <Figure
          label={columns.full.label}
          value={formatNumber(full)}
          behind={{ ...narrowed, seats_full: 'true' }}
          hint={texts.fullHint}
        />
        <Figure
          label={columns.unused.label}
          value={formatNumber(unused)}
          behind={{ ...narrowed, active: 'true', unused: 'true' }}
          hint={worth === '' ? texts.unusedHint : texts.unusedWorth(worth)}
        />
        <Figure
          label={columns.silent.label}
          value={formatNumber(silent)}
          hint={
            <>
              {texts.silentOf(installations, report.silent_days)}
              {silent > 0 && (
                <span className="block">
                  <LicensesLink behind={{ ...narrowed, silent_for: report.silent_days }}>
                    {texts.silentLicenses}
                  </LicensesLink>
                </span>
              )}
            </>
          }
        />
      </Figures>
      <BarList
        label={texts.chart}
        rows={report.by_software.slice(0, ROWS_SHOWN).map(({ software: { id, name, version }, ...row }) => ({
          key: id,
          name: (
            <RecordLink kind="software" id={id}>
              {softwareOption(name, version)}
            </RecordLink>
          ),
          value: `${texts.ofSeats(row.seats_used, row.seats_total)} · ${formatPercent(row.used_percent)}`,
          share: row.used_percent / 100,
        }))}
      />
    </>
  );
}
