import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Today } from '../../../contract/figures/today.ts';
import type { LicensesSearch } from '../../components/license/licenses-search.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { todayTexts } from '../../text/es-dashboard.ts';
import { formatNumber } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

type Tone = 'critical' | 'warning';

/** Nothing to do is quiet. */
const TONES: Record<Tone, string> = { critical: 'text-critical-text', warning: 'text-warning-text' };

interface Task {
  label: string;
  search: LicensesSearch;
  tone: Tone;
  count: (today: Today) => number;
  /** What the count means, or that there is nothing to do. */
  words: (today: Today) => string;
  /** Whether the words may take several lines. */
  wraps?: (today: Today) => boolean;
}

const expiring = (days: 7 | 30, tone: Tone): Task => {
  const of = (today: Today) =>
    today.expiring.find((span) => span.days === days) ?? { count: 0, by_currency: [] };
  return {
    label: todayTexts.expiring(days),
    search: { expiring_within: days, ordering: 'expiry_date' },
    tone,
    count: (today) => of(today).count,
    words: (today) =>
      of(today).count === 0 ? todayTexts.noneExpiring : todayTexts.worth(of(today).by_currency),
    wraps: (today) => of(today).by_currency.length > 1,
  };
};

const TASKS: readonly Task[] = [
  expiring(7, 'critical'),
  expiring(30, 'warning'),
  {
    label: todayTexts.failedMails,
    search: { email_status: 'failed' },
    tone: 'critical',
    count: ({ failed_mails }) => failed_mails,
    words: ({ failed_mails }) => (failed_mails === 0 ? todayTexts.allDelivered : todayTexts.toResend),
  },
  {
    label: todayTexts.seatsFull,
    search: { seats_full: 'true' },
    tone: 'warning',
    count: ({ seats_full }) => seats_full,
    words: ({ seats_full }) => (seats_full === 0 ? todayTexts.seatsFree : todayTexts.noSeatLeft),
  },
];

/** What is to do today: each count leads to the list of what it counts. Its height is the same before the figures come. */
export function TodayCard({ today }: { today: Today | undefined }) {
  return (
    // The tasks fill the room that the first steps would need.
    <Card title={todayTexts.title} padding="none" className="flex flex-col *:last:grid *:last:grow">
      <ul className="grid grid-cols-2 border-t border-border xl:grid-cols-4">
        {TASKS.map((task, position) => (
          <li
            key={task.label}
            className={cx(
              'min-w-0 border-border',
              position % 2 === 1 && 'border-l',
              position === 2 && 'xl:border-l',
              position > 1 && 'max-xl:border-t',
            )}
          >
            <TaskLink task={task} today={today} />
          </li>
        ))}
      </ul>
    </Card>
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
      className="group block h-full px-5 py-3.5 -outline-offset-2 hover:bg-sunken max-sm:px-4"
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

/** One line of text, or a grey bar of the same height. */
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
