import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, RotateCw, Send } from 'lucide-react';
import { useId, useState } from 'react';
import type { EventType } from '../../../contract/system/events.ts';
import {
  DELIVERY_STATUS_LABELS,
  type DeliveryAttempt,
  type DeliveryRow,
  type DeliveryStatus,
  WEBHOOK_PROBLEM_LABELS,
} from '../../../contract/system/webhooks.ts';
import { FilterSelect } from '../../components/list/filter-select.tsx';
import { useShownRows } from '../../components/list/use-shown-rows.ts';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { LoadError } from '../../components/screen/load-error.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { EVENT_TYPE_LABELS } from '../../text/es-audit.ts';
import { deliveryTexts as texts } from '../../text/es-webhooks.ts';
import { formatDateTime } from '../../text/format.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { outcomeOf, useSendAgain } from './use-webhook-actions.ts';
import { deliveriesQuery, deliveryQuery, untilDelivered } from './webhooks.api.ts';
import { readWebhooksSearch } from './webhooks-search.ts';

const TONES: Record<DeliveryStatus, BadgeTone> = { waiting: 'info', delivered: 'success', failed: 'danger' };

/** The name of a message: that of its event type, or 'Prueba'. */
const nameOf = ({ type }: DeliveryRow): string => EVENT_TYPE_LABELS[type as EventType] ?? texts.test;

/** The messages to a webhook, newest first, with all attempts (HOOK-02). */
export function Deliveries({ webhook }: { webhook: number }) {
  const search = useSearch(readWebhooksSearch);
  const navigate = useNavigate();
  const status = Object.hasOwn(DELIVERY_STATUS_LABELS, search.status ?? '')
    ? (search.status as DeliveryStatus)
    : undefined;
  const list = useQuery({
    ...deliveriesQuery(webhook, { status, page: search.page }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => untilDelivered(state.data?.rows),
  });
  const change = (changes: { status?: DeliveryStatus | undefined; page?: number | undefined }) =>
    void navigate({
      to: PATHS.webhooks,
      search: (now) => ({ ...now, page: undefined, ...changes }),
      state: true,
      replace: true,
    });
  const turnTo = (page: number) => change({ page: page === 1 ? undefined : page });
  const rows = useShownRows(list, search.page, turnTo);
  return (
    <div className="space-y-3">
      <FilterSelect
        label={texts.statusFilter}
        all={texts.allStatuses}
        choices={DELIVERY_STATUS_LABELS}
        value={status}
        onChange={(chosen) => change({ status: chosen })}
      />
      {list.isError && (
        <LoadError
          title={texts.failed}
          error={list.error}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {rows === undefined && !list.isError && (
        <p role="status" className="text-muted">
          {texts.loading}
        </p>
      )}
      {rows?.length === 0 && (
        <EmptyState
          icon={Send}
          title={status === undefined ? texts.empty : texts.nothing}
          hint={status === undefined ? texts.emptyHint : ''}
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <ul
          aria-label={texts.title}
          aria-busy={list.isPlaceholderData}
          className="divide-y divide-border border-y border-border"
        >
          {rows.map((delivery) => (
            <DeliveryItem key={delivery.id} webhook={webhook} delivery={delivery} />
          ))}
        </ul>
      )}
      {list.data !== undefined && list.data.totalPages > 1 && (
        <Pagination {...list.data} noun={texts.noun} onPage={turnTo} />
      )}
    </div>
  );
}

function DeliveryItem({ webhook, delivery }: { webhook: number; delivery: DeliveryRow }) {
  const [open, setOpen] = useState(false);
  const [send, sending] = useSendAgain(webhook);
  const id = useId();
  const name = nameOf(delivery);
  const Mark = open ? ChevronDown : ChevronRight;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-40 flex-1">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
            className="flex min-h-6 items-center gap-1.5 text-left font-medium hover:text-brand-text pointer-coarse:min-h-11"
          >
            <Mark aria-hidden className="size-4 shrink-0 text-muted" />
            {name}
          </button>
          <p className="text-xs text-muted">
            <RelativeTime value={delivery.created_at} />
            {` · ${texts.attempts(delivery.attempts.length)}`}
            {delivery.attempts.length > 0 && ` · ${outcomeOf(delivery)}`}
          </p>
        </div>
        <Badge tone={TONES[delivery.status]}>{DELIVERY_STATUS_LABELS[delivery.status]}</Badge>
        <Button
          size="sm"
          icon={RotateCw}
          aria-label={texts.resendOf(name)}
          busy={sending}
          busyLabel={texts.resending}
          onClick={() => void send(delivery.id)}
        >
          {texts.resend}
        </Button>
      </div>
      {open && (
        <div id={id}>
          <Contents webhook={webhook} delivery={delivery} />
        </div>
      )}
    </li>
  );
}

/** The attempts of a message and its body, which is fetched when it is opened. */
function Contents({ webhook, delivery }: { webhook: number; delivery: DeliveryRow }) {
  const { data } = useQuery(deliveryQuery(webhook, delivery.id));
  return (
    <div className="mt-3 space-y-4">
      <Facts columns={1}>
        <Fact label={texts.messageId}>
          <Copyable text={delivery.message_id} label={texts.messageId}>
            <Code>{delivery.message_id}</Code>
          </Copyable>
        </Fact>
      </Facts>
      {delivery.attempts.length > 0 && (
        <ol aria-label={texts.attemptsOf} className="space-y-3">
          {delivery.attempts.map((attempt) => (
            <Attempt key={attempt.id} attempt={attempt} />
          ))}
        </ol>
      )}
      {data && (
        <div>
          <p className="text-xs text-muted">{texts.message}</p>
          <Code boxed className="text-xs break-all whitespace-pre-wrap">
            {indented(data.body)}
          </Code>
        </div>
      )}
    </div>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { at, duration_ms, status, problem, answer, by_hand } = attempt;
  const outcome =
    problem === null ? texts.accepted(status) : WEBHOOK_PROBLEM_LABELS[problem] + texts.answered(status);
  return (
    <li className="space-y-1">
      <p className="text-xs">
        <span className={problem === null ? 'font-medium' : 'font-medium text-critical-text'}>{outcome}</span>
        <span className="text-muted">
          {` · ${formatDateTime(at)} · ${texts.took(duration_ms)}${by_hand ? ` · ${texts.byHand}` : ''}`}
        </span>
      </p>
      {answer !== null && answer !== '' && (
        <Code boxed className="text-xs break-all whitespace-pre-wrap">
          {answer}
        </Code>
      )}
    </li>
  );
}

/** JSON text with indentation; other text unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
