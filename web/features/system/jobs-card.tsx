import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ListChecks, RotateCw } from 'lucide-react';
import { useCallback, useState } from 'react';
import {
  SYSTEM_JOB_STATE_LABELS,
  type SystemAnswer,
  type SystemJob,
  type SystemJobState,
} from '../../../contract/system/system.ts';
import { FilterSelect } from '../../components/list/filter-select.tsx';
import { useShownRows } from '../../components/list/use-shown-rows.ts';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { useAction } from '../../components/record/use-action.ts';
import { LoadError } from '../../components/screen/load-error.tsx';
import { Offered } from '../../components/screen/offered.tsx';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toasts } from '../../ui/toasts.ts';
import { systemJobsQuery, useRetryJob } from './system.api.ts';
import { systemTexts as texts } from './system-texts.ts';

const TONES: Record<SystemJobState, BadgeTone> = { waiting: 'neutral', running: 'info', failed: 'danger' };

/** Background jobs with their state. Failed jobs can be retried (OPS-02). */
export function JobsCard({ counts }: { counts: SystemAnswer['jobs'] }) {
  const [state, setState] = useState<SystemJobState>();
  const [page, setPage] = useState(1);
  const list = useQuery({ ...systemJobsQuery(state, page), placeholderData: keepPreviousData });
  const turnTo = useCallback((to: number) => setPage(to), []);
  const rows = useShownRows(list, page, turnTo);
  return (
    <Card title={texts.jobs} subtitle={texts.jobCounts(counts)}>
      <div className="space-y-3">
        <FilterSelect
          label={texts.stateFilter}
          all={texts.allStates}
          choices={SYSTEM_JOB_STATE_LABELS}
          value={state}
          onChange={(chosen) => {
            setState(chosen);
            setPage(1);
          }}
        />
        {list.isError && (
          <LoadError
            title={texts.jobsFailed}
            error={list.error}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        )}
        {rows === undefined && !list.isError && (
          <p role="status" className="text-muted">
            {texts.jobsLoading}
          </p>
        )}
        {rows?.length === 0 && <EmptyState icon={ListChecks} title={texts.noJobs} hint={texts.noJobsHint} />}
        {rows !== undefined && rows.length > 0 && (
          <ul
            aria-label={texts.jobs}
            aria-busy={list.isPlaceholderData}
            className="divide-y divide-border border-y border-border"
          >
            {rows.map((job) => (
              <JobLine key={job.id} job={job} />
            ))}
          </ul>
        )}
        {list.data !== undefined && list.data.totalPages > 1 && (
          <Pagination {...list.data} noun={texts.noun} onPage={turnTo} />
        )}
      </div>
    </Card>
  );
}

function JobLine({ job: { id, label, state, tries, run_at, last_error } }: { job: SystemJob }) {
  const retry = useRetryJob();
  const [run, running] = useAction(texts.retryFailed, async () => {
    await retry.mutateAsync(id);
    toasts.success(texts.retried, label);
  });
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-40 flex-1">
        <p className="font-medium">{label}</p>
        <p className="text-xs text-muted">
          {state === 'waiting' && (
            <>
              {texts.runAt} <RelativeTime value={run_at} />
            </>
          )}
          {state === 'waiting' && tries > 0 && ' · '}
          {tries > 0 && texts.tries(tries)}
        </p>
        {last_error !== null && <p className="mt-1 wrap-anywhere">{last_error}</p>}
      </div>
      <Badge tone={TONES[state]}>{SYSTEM_JOB_STATE_LABELS[state]}</Badge>
      {state === 'failed' && (
        <Offered what="system.manage">
          <Button
            size="sm"
            icon={RotateCw}
            aria-label={texts.retryOf(label)}
            busy={running}
            busyLabel={texts.retrying}
            onClick={() => void run()}
          >
            {texts.retry}
          </Button>
        </Offered>
      )}
    </li>
  );
}
