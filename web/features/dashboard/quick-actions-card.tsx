import { ChartColumn, FilePlus2, type LucideIcon, PackagePlus, UserPlus } from 'lucide-react';
import type { Permission } from '../../../contract/people/permissions.ts';
import { OFFERS } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { dashboardTexts } from '../../text/es-dashboard.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

const CREATE = { nuevo: '1' } as const;

const ACTIONS: readonly {
  label: string;
  icon: LucideIcon;
  to: (typeof PATHS)['licenses' | 'clients' | 'software' | 'reports'];
  search: typeof CREATE | undefined;
  needs: Permission;
}[] = [
  {
    label: dashboardTexts.newLicense,
    icon: FilePlus2,
    to: PATHS.licenses,
    search: CREATE,
    needs: OFFERS['licenses.create'],
  },
  {
    label: dashboardTexts.addClient,
    icon: UserPlus,
    to: PATHS.clients,
    search: CREATE,
    needs: OFFERS['clients.create'],
  },
  {
    label: dashboardTexts.registerSoftware,
    icon: PackagePlus,
    to: PATHS.software,
    search: CREATE,
    needs: OFFERS['software.create'],
  },
  {
    label: dashboardTexts.viewReports,
    icon: ChartColumn,
    to: PATHS.reports,
    search: undefined,
    needs: 'reports:read',
  },
];

/** Links that look like buttons: they lead to the screen with its create dialog open (SEED-2.5-10, D021). */
export function QuickActionsCard() {
  const may = useMay();
  const offered = ACTIONS.filter(({ needs }) => may(needs));
  return (
    <Card title={dashboardTexts.quickActions}>
      <div className="grid gap-2 sm:grid-cols-2 md:grid-cols-1">
        {offered.map(({ label, icon: Icon, to, search }) => (
          <Link
            key={to}
            to={to}
            search={search ?? {}}
            className={buttonClass(to === PATHS.licenses ? 'primary' : 'secondary', 'md', 'justify-start')}
          >
            <Icon aria-hidden className="size-4" />
            {label}
          </Link>
        ))}
      </div>
    </Card>
  );
}
