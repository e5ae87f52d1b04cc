import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { localDay } from '../../../contract/base/time.ts';
import { PrintedNote } from '../../components/list/printed-note.tsx';
import { softwareOptionsQuery } from '../../components/record/catalogue-queries.ts';
import { softwareOption } from '../../text/es-lists.ts';
import { businessTimeZoneInUse } from '../../text/format.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { FiscalSection } from './fiscal/fiscal-section.tsx';
import { daysOf } from './period.ts';
import type { ReportFilters } from './reports.api.ts';
import { ReportsControls } from './reports-controls.tsx';
import { REPORT_TABS, type ReportsSearch, type ReportTab } from './reports-search.ts';
import { TAB_LABELS, reportTexts as texts } from './reports-texts.ts';
import { ChecksSection } from './sections/checks-section.tsx';
import { ClientsSection } from './sections/clients-section.tsx';
import { LicensesSection } from './sections/licenses-section.tsx';
import { RecurringSection } from './sections/recurring-section.tsx';
import { RenewalsSection } from './sections/renewals-section.tsx';
import { RevenueSection } from './sections/revenue-section.tsx';
import { TrialsSection } from './sections/trials-section.tsx';
import { UsageSection } from './sections/usage-section.tsx';
import { VersionsSection } from './sections/versions-section.tsx';
import './reports.css';

interface ReportsBodyProps {
  search: ReportsSearch;
  onChange: (search: ReportsSearch) => void;
  onTab: (tab: ReportTab) => void;
}

const FIRST_TAB = REPORT_TABS[0];

/** The controls, and the reports of the open tab (DESK-09): only these are asked for, and printed. */
export function ReportsBody({ search, onChange, onTab }: ReportsBodyProps) {
  const tab = search.tab ?? FIRST_TAB;
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
      <Printed filters={filters} tab={tab} />
      <ReportsControls search={search} filters={filters} onChange={onChange} />
      <Tabs
        label={texts.tabs}
        tabs={REPORT_TABS.map((key) => ({
          key,
          label: TAB_LABELS[key],
          content: <div className="report-grid">{SECTIONS[key](filters)}</div>,
        }))}
        value={tab}
        onChange={onTab}
      />
    </>
  );
}

/** What each tab answers, in the order of an owner's questions: what came in and will, what is sold, used, and by whom. */
const SECTIONS: Record<ReportTab, (filters: ReportFilters) => ReactNode> = {
  dinero: (filters) => (
    <>
      <RevenueSection filters={filters} />
      <RecurringSection filters={filters} />
      <RenewalsSection filters={filters} />
      <FiscalSection days={filters} />
    </>
  ),
  licencias: (filters) => (
    <>
      <LicensesSection filters={filters} />
      <TrialsSection filters={filters} />
    </>
  ),
  uso: (filters) => (
    <>
      <UsageSection filters={filters} />
      <VersionsSection filters={filters} />
      <ChecksSection filters={filters} />
    </>
  ),
  clientes: (filters) => <ClientsSection filters={filters} />,
};

/** Printed instead of the controls: the tab, the period and the filters. */
function Printed({
  filters: { from, to, software, currency },
  tab,
}: {
  filters: ReportFilters;
  tab: ReportTab;
}) {
  const { data: programs } = useQuery({ ...softwareOptionsQuery, enabled: software !== undefined });
  const program = programs?.find(({ id }) => id === software);
  return (
    <PrintedNote
      parts={[
        TAB_LABELS[tab],
        texts.days(from, to),
        program && `${texts.software}: ${softwareOption(program.name, program.version)}`,
        currency && `${texts.currency}: ${currency}`,
      ]}
    />
  );
}
