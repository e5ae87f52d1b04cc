import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { EXPIRING_SOON_DAYS as MONTH, EXPIRING_WEEK_DAYS as WEEK } from '../../../contract/base/limits.ts';
import { addDays, localDay } from '../../../contract/base/time.ts';
import type { Today } from '../../../contract/figures/today.ts';
import { useMay } from '../../api/permissions.ts';
import type { LicensesSearch } from '../../components/license/licenses-search.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { businessTimeZoneInUse, countOf, formatNumber } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { todayTexts } from './dashboard-texts.ts';
import { endsBetween, endsWithin } from './ends.ts';
import { type TaskKind, TaskNames } from './task-names.tsx';

type Tone = 'critical' | 'warning' | 'plain';

/** The colours of counts other than 0. */
const TONES: Record<Tone, string> = {
  critical: 'text-critical-text',
  warning: 'text-warning-text',
  plain: 'text-text',
};

interface Task {
  kind: TaskKind;
  label: string;
  /** The filters of the list with the counted records. */
  search: LicensesSearch;
  /** The order with the most urgent first, if the list is sorted differently by default. */
  urgency?: string;
  tone: Tone;
  count: (today: Today) => number;
  /** The text for the count, or that there is nothing to do. */
  words: (today: Today) => string;
  /** True if the text may have several lines. */
  wraps?: (today: Today) => boolean;
}

const ends = (
  label: string,
  search: LicensesSearch,
  tone: Tone,
  of: (today: Today) => Pick<Today['expiring'][number], 'count' | 'by_currency'>,
): Task => ({
  kind: 'ends',
  label,
  search: { ...search, ordering: 'expiry_date' },
  tone,
  count: (today) => of(today).count,
  words: (today) =>
    of(today).count === 0 ? todayTexts.noneExpiring : todayTexts.worth(of(today).by_currency),
  wraps: (today) => of(today).by_currency.length > 1,
});

/** The tasks. No licence is counted in two of them. */
const tasksOf = (now: Date): readonly Task[] => [
  ends(todayTexts.expiring(WEEK), { expiring_within: WEEK }, 'critical', (today) => endsWithin(today, WEEK)),
  ends(
    todayTexts.expiringFrom(WEEK + 1, MONTH),
    {
      expiring_within: MONTH,
      expiry_from: addDays(localDay(now, businessTimeZoneInUse()), WEEK + 1),
    },
    'warning',
    (today) => endsBetween(today, WEEK, MONTH),
  ),
  {
    kind: 'mail',
    label: todayTexts.failedMails,
    search: { email_status: 'failed' },
    tone: 'critical',
    count: ({ failed_mails }) => failed_mails,
    words: ({ failed_mails }) => (failed_mails === 0 ? todayTexts.allDelivered : todayTexts.toResend),
  },
  {
    kind: 'seats',
    label: todayTexts.seatsFull,
    search: { seats_full: 'true' },
    urgency: '-current_installations',
    tone: 'plain',
    count: ({ seats_full }) => seats_full,
    words: ({ seats_full }) => (seats_full === 0 ? todayTexts.seatsFree : todayTexts.noSeatLeft),
  },
];

/** The tasks of today: each count links to its list, and the most urgent licences are listed with a button. */
export function TodayCard({ today }: { today: Today | undefined }) {
  const tasks = tasksOf(new Date());
  return (
    <Card title={todayTexts.title} padding="none">
      <ul className="grid grid-cols-2 border-t border-border">
        {tasks.map((task, position) => (
          <li
            key={task.label}
            className={cx(
              'flex min-w-0 flex-col border-border 2xl:flex-row',
              position % 2 === 1 && 'border-l',
              position > 1 && 'border-t',
            )}
          >
            <TaskLink task={task} today={today} />
            <div className="min-w-0 flex-1 px-5 pb-3 max-sm:px-4 2xl:pt-3 2xl:pl-0">
              <TaskNames
                kind={task.kind}
                label={task.label}
                search={task.urgency === undefined ? task.search : { ...task.search, ordering: task.urgency }}
                count={today && task.count(today)}
              />
            </div>
          </li>
        ))}
      </ul>
      {today !== undefined && today.payment_reviews > 0 && <ReviewsLine count={today.payment_reviews} />}
      {today !== undefined && today.client_requests > 0 && <RequestsLine count={today.client_requests} />}
    </Card>
  );
}

const LINE = 'flex items-center gap-2 border-t border-border px-5 py-3 max-sm:px-4';
const LINE_LINK = cx(LINE, 'group justify-between -outline-offset-2 hover:bg-sunken');

const LineEnd = () => (
  <ChevronRight aria-hidden className="size-4 shrink-0 text-muted group-hover:text-text" />
);

/** The number of payments to review; no line if there are none (PAY-05). */
function ReviewsLine({ count }: { count: number }) {
  const words = <span className="font-medium text-warning-text">{countOf(count, todayTexts.reviews)}</span>;
  if (!useMay()('payments:read')) return <p className={LINE}>{words}</p>;
  return (
    <Link to={PATHS.payments} search={{ state: 'review' }} className={LINE_LINK}>
      {words}
      <LineEnd />
    </Link>
  );
}

/** The number of requests by clients in the portal; no line if there are none (PORTAL-05). */
function RequestsLine({ count }: { count: number }) {
  const may = useMay();
  const words = countOf(count, todayTexts.requests);
  if (!may('audit:read')) return <p className={LINE}>{words}</p>;
  return (
    <Link to={PATHS.audit} search={{ type: 'client.requested' }} className={LINE_LINK}>
      {words}
      <LineEnd />
    </Link>
  );
}

function TaskLink({
  task: { label, search, tone, count, words, wraps },
  today,
}: {
  task: Task;
  today: Today | undefined;
}) {
  const found = today && count(today);
  return (
    <Link
      to={PATHS.licenses}
      search={search}
      className="group block shrink-0 px-5 py-3.5 -outline-offset-2 hover:bg-sunken max-sm:px-4 2xl:w-48"
    >
      <span className="flex items-start justify-between gap-1 text-muted">
        {label}
        <ChevronRight aria-hidden className="mt-0.5 size-4 shrink-0 group-hover:text-text max-sm:hidden" />
      </span>
      <Line
        className={cx('text-2xl/8 font-semibold tracking-tight', found ? TONES[tone] : 'text-muted')}
        bar="w-10"
      >
        {found === undefined ? undefined : formatNumber(found)}
      </Line>
      <Line className="text-xs/4 text-muted" bar="w-24" wraps={today && wraps?.(today)}>
        {today && words(today)}
      </Line>
    </Link>
  );
}

/** A line of text, or while loading a grey bar of the same height. */
function Line({
  className,
  bar,
  wraps = false,
  children,
}: {
  className: string;
  bar: string;
  wraps?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <span className={cx('block', !wraps && 'truncate', className)}>
      {children ?? <Skeleton className={cx('inline-block h-[0.7em] max-w-full align-baseline', bar)} />}
    </span>
  );
}
