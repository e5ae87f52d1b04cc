import { useQuery } from '@tanstack/react-query';
import { localDay } from '../../../contract/base/time.ts';
import { PrintedNote } from '../../components/list/printed-note.tsx';
import { softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { softwareOption } from '../../text/es-lists.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { FiscalSection } from './fiscal/fiscal-section.tsx';
import { daysOf } from './period.ts';
import type { ReportFilters } from './reports.api.ts';
import { ReportsControls } from './reports-controls.tsx';
import type { ReportsSearch } from './reports-search.ts';
import { reportTexts as texts } from './reports-texts.ts';
import { ChecksSection } from './sections/checks-section.tsx';
import { ClientsSection } from './sections/clients-section.tsx';
import { LicensesSection } from './sections/licenses-section.tsx';
import { RenewalsSection } from './sections/renewals-section.tsx';
import { RevenueSection } from './sections/revenue-section.tsx';
import { TrialsSection } from './sections/trials-section.tsx';
import { UsageSection } from './sections/usage-section.tsx';
import { VersionsSection } from './sections/versions-section.tsx';
import './reports.css';

interface ReportsBodyProps {
  search: ReportsSearch;
  onChange: (search: ReportsSearch) => void;
}

/**
 * The controls and all reports. The order follows the questions of a business owner: income, future income, lost
 * clients, usage.
 */
export function ReportsBody({ search, onChange }: ReportsBodyProps) {
  const timeZone = businessTimeZoneInUse();
  const now = new Date();
  const days = daysOf(search, now, timeZone);
  const filters: ReportFilters = {
    ...days,
    software: search.software,
    currency: search.currency,
    isUntilToday: days.to >= localDay(now, timeZone),
  };
  return (
    <>
      <Printed filters={filters} />
      <ReportsControls search={search} filters={filters} onChange={onChange} />
      <div className="report-grid">
        <RevenueSection filters={filters} />
        <RenewalsSection filters={filters} />
        <LicensesSection filters={filters} />
        <UsageSection filters={filters} />
        <VersionsSection filters={filters} />
        <TrialsSection filters={filters} />
        <ClientsSection filters={filters} />
        <ChecksSection filters={filters} />
        <FiscalSection days={days} />
      </div>
    </>
  );
}

/** Printed instead of the controls: the period and the filters. */
function Printed({ filters: { from, to, software, currency } }: { filters: ReportFilters }) {
  const { data: programs } = useQuery({ ...softwareOptionsQuery, enabled: software !== undefined });
  const program = programs?.find(({ id }) => id === software);
  return (
    <PrintedNote
      parts={[
        texts.days(from, to),
        program && `${texts.software}: ${softwareOption(program.name, program.version)}`,
        currency && `${texts.currency}: ${currency}`,
      ]}
    />
  );
}
