import { useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { ReportAnswers, ReportKind } from '../../../../contract/figures/reports.ts';
import { ExportButton } from '../../../components/list/export-button.tsx';
import { LoadError } from '../../../components/screen/load-error.tsx';
import { Offered } from '../../../components/screen/offered.tsx';
import { Card } from '../../../ui/card.tsx';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { TextButton } from '../../../ui/text-button.tsx';
import { blankReports } from '../blank-reports.ts';
import { arePending, exportPathOf, type ReportFilters, reportQuery, wireFiltersOf } from '../reports.api.ts';
import { SECTION_TEXTS, reportTexts as texts } from '../reports-texts.ts';
import { ReportTable, type TableData } from './report-table.tsx';

interface ReportSectionProps<Kind extends ReportKind> {
  kind: Kind;
  filters: ReportFilters;
  isEmpty: (report: ReportAnswers[Kind]) => boolean;
  /** A button in the empty state with the next step. */
  emptyAction?: ReactNode;
  /** The figures of the charts as tables. */
  tables: (report: ReportAnswers[Kind]) => readonly TableData[];
  children: (report: ReportAnswers[Kind]) => ReactNode;
}

/**
 * The card of one report. Loading, failure and empty state are handled in the card. While it loads and if it failed, it
 * has the height of its figures; empty, it is as high as its words (DESK-09). Its tables are shown on demand, and always
 * printed.
 */
export function ReportSection<Kind extends ReportKind>({
  kind,
  filters,
  isEmpty,
  emptyAction,
  tables,
  children,
}: ReportSectionProps<Kind>) {
  const { data, error, failureReason, isPlaceholderData, refetch, isFetching } = useQuery(
    reportQuery(kind, filters),
  );
  const { title, subtitle, empty, hint } = SECTION_TEXTS[kind];
  // If the query of a new period failed, the old figures must not be shown as its result.
  const failed = error !== null && (data === undefined || isPlaceholderData);
  const isBeingMade = arePending(failureReason);
  const answer = failed || isBeingMade ? undefined : data;
  const shown = answer === undefined || isEmpty(answer) ? undefined : answer;
  const isWaited = answer === undefined;
  return (
    <Card
      title={title}
      subtitle={subtitle}
      action={
        <Offered what="reports.export">
          <span data-print="hidden">
            <ExportButton
              label={texts.exportCsv}
              of={title}
              path={exportPathOf(kind)}
              query={wireFiltersOf(kind, filters)}
              failure={texts.exportFailed}
              fileName={texts.exportName(kind)}
            />
          </span>
        </Offered>
      }
    >
      <div
        data-report={kind}
        aria-busy={answer === undefined ? !failed : isPlaceholderData}
        className={cx('report relative', isPlaceholderData && 'opacity-55')}
      >
        {(shown || isWaited) && (
          <div inert={isWaited} className={cx('report-body space-y-5', isWaited && 'invisible print:hidden')}>
            {children(shown ?? blankReports(filters)[kind])}
          </div>
        )}
        {failed ? (
          <Over>
            <LoadError
              title={texts.failed(title)}
              error={error}
              onRetry={() => void refetch()}
              retrying={isFetching}
            />
          </Over>
        ) : isWaited ? (
          <Over>
            <Loading isBeingMade={isBeingMade} />
          </Over>
        ) : (
          shown === undefined && (
            <div className="-my-6">
              <EmptyState icon={ChartColumn} title={empty} hint={hint} action={emptyAction} />
            </div>
          )
        )}
      </div>
      {(shown || isWaited) && (
        <Foot title={title} asOf={shown?.as_of} tables={shown === undefined ? null : tables(shown)} />
      )}
    </Card>
  );
}

const Over = ({ children }: { children: ReactNode }) => (
  <div className="absolute inset-0 overflow-hidden print:static">{children}</div>
);

/** @property isBeingMade whether the server said that it is still making the figures */
const Loading = ({ isBeingMade }: { isBeingMade: boolean }) => (
  <div className="flex h-full flex-col gap-4">
    <p role="status" className={cx('text-sm text-muted', !isBeingMade && 'sr-only')}>
      {isBeingMade && texts.pending}
    </p>
    <div aria-hidden className="flex gap-6">
      <Skeleton className="h-10 w-32" />
      <Skeleton className="h-10 w-24" />
      <Skeleton className="h-10 w-24" />
    </div>
    <Skeleton className="w-full flex-1" />
  </div>
);

interface FootProps {
  title: string;
  asOf: string | undefined;
  /** Null if there are no figures; the space stays reserved. */
  tables: readonly TableData[] | null;
}

/** 'Ver tabla' with the tables, and the instant of the figures. */
function Foot({ title, asOf, tables }: FootProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={cx('mt-4', tables === null && 'invisible print:hidden')}>
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 text-xs">
        <span data-print="hidden">
          <TextButton aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {open ? texts.hideTable : texts.showTable}
            <span className="sr-only">{` ${title}`}</span>
          </TextButton>
        </span>
        <span className="text-muted">{asOf && texts.asOf(asOf)}</span>
      </div>
      <div id={id} className={cx('mt-2 space-y-5', !open && 'hidden print:block')}>
        {tables?.map((table) => (
          <ReportTable key={table.caption} {...table} />
        ))}
      </div>
    </div>
  );
}
