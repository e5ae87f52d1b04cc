import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type DashboardStatistics, monthlyQuery } from './dashboard.api.ts';
import { dashboardTexts } from './dashboard-texts.ts';
import { Figure } from './figure.tsx';
import { MonthlyChart } from './monthly-chart.tsx';

interface DistributionCardProps {
  statistics: DashboardStatistics | undefined;
  loading: boolean;
}

/** The numbers of active, trial and all licences (SEED-2.5-12), and a chart of licences issued by month. */
export function DistributionCard({ statistics, loading }: DistributionCardProps) {
  const value = (count: number | undefined) => (count === undefined ? undefined : formatNumber(count));
  return (
    <Card title={dashboardTexts.distribution} className="flex flex-col">
      <dl className="grid grid-cols-3 gap-4">
        <Figure label={dashboardTexts.active} value={value(statistics?.active_licenses)} loading={loading} />
        <Figure label={dashboardTexts.trial} value={value(statistics?.trial_licenses)} loading={loading} />
        <Figure label={dashboardTexts.total} value={value(statistics?.total_licenses)} loading={loading} />
      </dl>
      <div className="@container mt-4 h-41">
        <Evolution />
      </div>
      <p className="mt-3 text-xs text-muted">{dashboardTexts.distributionSoon}</p>
    </Card>
  );
}

/** The chart. If it cannot be loaded, the figures above stay. */
function Evolution() {
  const { data: months, isPending } = useQuery(monthlyQuery);
  if (months === undefined) {
    return isPending ? (
      <Skeleton className="h-full w-full" />
    ) : (
      <p className="text-xs text-muted">{dashboardTexts.chartFailed}</p>
    );
  }
  return (
    <>
      <p aria-hidden className="mb-1 text-xs/4 text-muted">
        {dashboardTexts.chartCaption}
      </p>
      <MonthlyChart months={months} />
    </>
  );
}
