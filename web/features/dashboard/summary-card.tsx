import { formatNumber, formatRate } from '../../text/format.ts';
import { Card } from '../../ui/card.tsx';
import type { DashboardStatistics } from './dashboard.api.ts';
import { dashboardTexts } from './dashboard-texts.ts';
import { Figure } from './figure.tsx';

interface SummaryCardProps {
  statistics: DashboardStatistics | undefined;
  loading: boolean;
}

/** The numbers of clients and software, and the share of active licences (SEED-2.5-14 to -17, D069). */
export function SummaryCard({ statistics, loading }: SummaryCardProps) {
  const rate = statistics && formatRate(statistics.active_licenses, statistics.total_licenses);
  return (
    <Card title={dashboardTexts.summary} className="flex flex-col">
      <dl className="grid grid-cols-2 gap-4">
        <Figure
          label={dashboardTexts.clients}
          value={statistics && formatNumber(statistics.total_clients)}
          loading={loading}
        />
        <Figure
          label={dashboardTexts.software}
          value={statistics && formatNumber(statistics.total_software)}
          loading={loading}
        />
      </dl>
      <div className="mt-6 rounded-lg border border-border bg-sunken p-3.5">
        <dl>
          <Figure label={dashboardTexts.conversion} value={rate} loading={loading} />
        </dl>
        <RateBar part={statistics?.active_licenses ?? 0} total={statistics?.total_licenses ?? 0} />
        <p className="mt-2 text-xs text-muted">{dashboardTexts.conversionHint}</p>
      </div>
      <p className="mt-4 text-xs text-muted">{dashboardTexts.summarySoon}</p>
    </Card>
  );
}

/** The share as a bar, hidden from screen readers. */
function RateBar({ part, total }: { part: number; total: number }) {
  const width = total > 0 ? Math.min(100, (part / total) * 100) : 0;
  return (
    <svg
      aria-hidden
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className="mt-2 h-1.5 w-full rounded-full"
    >
      <rect width="100" height="4" className="fill-border" />
      <rect width={width} height="4" className="fill-success" />
    </svg>
  );
}
