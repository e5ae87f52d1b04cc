import type { Today } from '../../../contract/today.ts';
import { revenueTexts } from '../../text/es-dashboard.ts';
import { formatMoney } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TrendMark } from '../../ui/stat-card.tsx';

/** The money of this month, and in words and with its sign how it differs from the last. */
export function RevenueCard({ today }: { today: Today | undefined }) {
  return (
    <Card title={revenueTexts.title}>
      <p className="-mt-1 h-8 truncate text-2xl/8 font-semibold tracking-tight">
        {today ? formatMoney(today.revenue.this_month) : <Skeleton className="my-1.5 h-5 w-32" />}
      </p>
      <p className="mt-1 flex h-5.5 items-center gap-2 text-xs">
        {today ? <Change {...today.revenue} /> : <Skeleton className="h-3 w-40" />}
      </p>
      <p className="mt-1.5 truncate text-xs text-muted">
        {today ? revenueTexts.lastMonth(today.revenue.last_month) : <Skeleton className="h-4 w-32" />}
      </p>
    </Card>
  );
}

function Change({ this_month, last_month }: Today['revenue']) {
  const difference = this_month - last_month;
  return (
    <>
      {/* Without an earlier amount there is no percentage. */}
      {last_month > 0 && <TrendMark change={(difference / last_month) * 100} />}
      <span className="min-w-0 truncate">{revenueTexts.difference(difference)}</span>
    </>
  );
}
