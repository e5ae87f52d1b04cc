import { CircleCheck, FlaskConical, type LucideIcon, Package, Users } from 'lucide-react';
import { Link, type LinkTarget } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { states } from '../../text/es.ts';
import { formatNumber } from '../../text/format.ts';
import { SkeletonCard } from '../../ui/skeleton.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import type { DashboardStatistics } from './dashboard.api.ts';
import { dashboardTexts } from './dashboard-texts.ts';

type Figure = 'active_licenses' | 'total_clients' | 'trial_licenses' | 'total_software';

/** The figures, each with a link to the list of the counted records. */
const CARDS: readonly {
  figure: Figure;
  label: string;
  icon: LucideIcon;
  to: LinkTarget;
}[] = [
  {
    figure: 'active_licenses',
    label: dashboardTexts.activeLicenses,
    icon: CircleCheck,
    to: { to: PATHS.licenses, search: { active: 'true' } },
  },
  {
    figure: 'total_clients',
    label: dashboardTexts.totalClients,
    icon: Users,
    to: { to: PATHS.clients },
  },
  {
    figure: 'trial_licenses',
    label: dashboardTexts.trialLicenses,
    icon: FlaskConical,
    to: { to: PATHS.licenses, search: { type: 'trial' } },
  },
  {
    figure: 'total_software',
    label: dashboardTexts.registeredSoftware,
    icon: Package,
    to: { to: PATHS.software },
  },
];

/** The four figures, skeletons until they are loaded (SEED-2.5-04 to -07, SEED-2.5-21, D105). */
export function StatCards({ statistics }: { statistics: DashboardStatistics | undefined }) {
  return (
    <section aria-label={dashboardTexts.stats} className="grid grid-cols-2 gap-4 max-sm:gap-3 xl:grid-cols-4">
      {statistics === undefined && (
        <span role="status" className="sr-only">
          {states.loading}
        </span>
      )}
      {CARDS.map(({ figure, label, icon, to }) =>
        statistics === undefined ? (
          <SkeletonCard key={figure} className="h-34 max-sm:h-36" />
        ) : (
          <StatCard
            key={figure}
            label={
              <Link {...to} className="rounded after:absolute after:inset-0 after:rounded-xl">
                {label}
              </Link>
            }
            value={formatNumber(statistics[figure])}
            icon={icon}
            change={statistics.changes?.[figure] ?? null}
            difference={statistics.differences?.[figure]}
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
