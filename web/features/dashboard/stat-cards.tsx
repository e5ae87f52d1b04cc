import { CircleCheck, FlaskConical, type LucideIcon, Package, Users } from 'lucide-react';
import { states } from '../../text/es.ts';
import { dashboardTexts } from '../../text/es-dashboard.ts';
import { formatNumber } from '../../text/format.ts';
import { SkeletonCard } from '../../ui/skeleton.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import type { DashboardStatistics } from './dashboard.api.ts';

type Figure = 'active_licenses' | 'total_clients' | 'trial_licenses' | 'total_software';

const CARDS: readonly { figure: Figure; label: string; icon: LucideIcon }[] = [
  { figure: 'active_licenses', label: dashboardTexts.activeLicenses, icon: CircleCheck },
  { figure: 'total_clients', label: dashboardTexts.totalClients, icon: Users },
  { figure: 'trial_licenses', label: dashboardTexts.trialLicenses, icon: FlaskConical },
  { figure: 'total_software', label: dashboardTexts.registeredSoftware, icon: Package },
];

/** The four figures, skeletons until they are loaded (SEED-2.5-04 to -07, SEED-2.5-21, D105). */
export function StatCards({ statistics }: { statistics: DashboardStatistics | undefined }) {
  return (
    <section aria-label={dashboardTexts.stats} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {statistics === undefined && (
        <span role="status" className="sr-only">
          {states.loading}
        </span>
      )}
      {CARDS.map(({ figure, label, icon }) =>
        statistics === undefined ? (
          <SkeletonCard key={figure} className="h-34" />
        ) : (
          <StatCard
            key={figure}
            label={label}
            value={formatNumber(statistics[figure])}
            icon={icon}
            change={statistics.changes?.[figure] ?? null}
            hint={
              typeof statistics.changes?.[figure] === 'number'
                ? dashboardTexts.changeHint
                : dashboardTexts.noChange
            }
          />
        ),
      )}
    </section>
  );
}
