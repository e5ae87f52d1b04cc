import { EXPIRING_SOON_DAYS as MONTH, EXPIRING_WEEK_DAYS as WEEK } from '../../../contract/base/limits.ts';
import { addDays, localDay } from '../../../contract/base/time.ts';
import type { Today } from '../../../contract/figures/today.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import type { LicensesSearch } from '../../components/license/licenses-search.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { businessTimeZoneInUse, formatNumber } from '../../text/format.ts';
import { cx } from '../../ui/cx.ts';
import { todayTexts } from './dashboard-texts.ts';
import { endsBetween, endsWithin } from './ends.ts';

interface Figure {
  label: string;
  /** The filters of the list with the counted licences. */
  search: LicensesSearch;
  count: number;
  /** What the count means, or that there are none. */
  words: string;
  isWarning?: boolean;
}

function figuresOf(today: Today, now: Date, isStored: boolean): readonly Figure[] {
  const ends = (label: string, search: LicensesSearch, of: ReturnType<typeof endsWithin>): Figure => ({
    label,
    search: { ...search, ordering: 'expiry_date' },
    count: of.count,
    words: of.count === 0 ? todayTexts.noneExpiring : todayTexts.worth(of.by_currency),
  });
  const { failed_mails, seats_full } = today;
  return [
    ends(todayTexts.expiring(WEEK), { expiring_within: WEEK }, endsWithin(today, WEEK)),
    ends(
      todayTexts.expiringFrom(WEEK + 1, MONTH),
      { expiring_within: MONTH, expiry_from: addDays(localDay(now, businessTimeZoneInUse()), WEEK + 1) },
      endsBetween(today, WEEK, MONTH),
    ),
    {
      label: todayTexts.failedMails,
      search: { email_status: 'failed' },
      count: failed_mails,
      words:
        failed_mails > 0
          ? todayTexts.toResend
          : isStored
            ? todayTexts.nothingDelivered
            : todayTexts.allDelivered,
      isWarning: failed_mails === 0 && isStored,
    },
    {
      label: todayTexts.seatsFull,
      search: { seats_full: 'true' },
      count: seats_full,
      words: seats_full === 0 ? todayTexts.seatsFree : todayTexts.noSeatLeft,
    },
  ];
}

/** Counts of licences, each with a link to their list. No licence is in two of the first two (D143). */
export function TodayFigures({ today }: { today: Today }) {
  return (
    <ul className="grid grid-cols-2 gap-px border-t border-border bg-border lg:grid-cols-4">
      {figuresOf(today, new Date(), useMailIsStored()).map(({ label, search, count, words, isWarning }) => (
        <li key={label} className="min-w-0 bg-surface">
          <Link
            to={PATHS.licenses}
            search={search}
            className="block h-full px-5 py-3 -outline-offset-2 hover:bg-sunken max-sm:px-4"
          >
            <span className="block text-xs/4 text-muted">{label}</span>
            <span className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
              <span className={cx('text-lg/6 font-semibold tracking-tight', count === 0 && 'text-muted')}>
                {formatNumber(count)}
              </span>
              <span className={cx('text-xs/4', isWarning ? 'text-warning-text' : 'text-muted')}>{words}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
