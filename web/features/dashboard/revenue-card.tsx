import type { Today } from '../../../contract/figures/today.ts';
import { formatMoney } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TrendMark } from '../../ui/stat-card.tsx';
import { revenueTexts } from './dashboard-texts.ts';

/**
 * The income of this month, and as text how it differs from the same days of last month. Sales in other currencies
 * than the vendor's have a separate line each: amounts of different currencies are never added (MONEY-01).
 */
export function RevenueCard({ today }: { today: Today | undefined }) {
  const others = (today?.revenue.by_currency ?? []).filter(({ currency }) => currency !== today?.currency);
  const mixed = others.length > 0;
  return (
    <Card title={revenueTexts.title}>
      <p className="-mt-1 h-8 truncate text-2xl/8 font-semibold tracking-tight">
        {today ? (
          formatMoney(today.revenue.this_month, today.currency, mixed)
        ) : (
          <Skeleton className="my-1.5 h-5 w-32" />
        )}
      </p>
      <p className="mt-1 flex h-5.5 items-center gap-2 text-xs">
        {today ? <Change today={today} mixed={mixed} /> : <Skeleton className="h-3 w-40" />}
      </p>
      <p className="mt-1.5 truncate text-xs text-muted">
        {today ? (
          revenueTexts.lastMonth(today.revenue.last_month, today.currency, mixed)
        ) : (
          <Skeleton className="h-4 w-32" />
        )}
      </p>
      <p className="mt-1 truncate text-xs text-muted">
        {today ? (
          revenueTexts.toDate(today.revenue.last_month_to_date, today.currency, mixed)
        ) : (
          <Skeleton className="h-4 w-32" />
        )}
      </p>
      {mixed && (
        <ul aria-label={revenueTexts.others} className="mt-3 space-y-1 border-t border-border pt-2 text-xs">
          {others.map(({ currency, this_month, last_month }) => (
            <li key={currency}>
              <span className="font-medium whitespace-nowrap">{formatMoney(this_month, currency, true)}</span>{' '}
              <span className="whitespace-nowrap text-muted">
                {revenueTexts.lastMonth(last_month, currency, true)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Change({
  today: {
    currency,
    revenue: { this_month, last_month_to_date },
  },
  mixed,
}: {
  today: Today;
  mixed: boolean;
}) {
  const difference = this_month - last_month_to_date;
  return (
    <>
      {/* If last month's amount is 0, there is no percentage. */}
      {last_month_to_date > 0 && <TrendMark change={(difference / last_month_to_date) * 100} />}
      <span className="min-w-0 truncate">{revenueTexts.difference(difference, currency, mixed)}</span>
    </>
  );
}
