import { ChartColumn, type LucideIcon } from 'lucide-react';
import { useOffers } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { choicesOf } from '../../components/record/choices.ts';
import { CREATE_ICONS } from '../../components/record/create-icons.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { RECORD_KINDS } from '../../record-kinds.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { dashboardTexts } from './dashboard-texts.ts';

const CREATE = { nuevo: '1' } as const;

const LABELS = {
  licenses: dashboardTexts.newLicense,
  clients: dashboardTexts.addClient,
  software: dashboardTexts.registerSoftware,
} as const;

/** Links that look like buttons. They open the screen with its creation dialog (SEED-2.5-10, D021). */
export function QuickActionsCard() {
  const isOffered = useOffers();
  const may = useMay();
  return (
    <Card title={dashboardTexts.quickActions}>
      <div className="grid gap-2 sm:grid-cols-2 md:grid-cols-1">
        {choicesOf(LABELS)
          .filter((kind) => isOffered(`${kind}.create`))
          .map((kind) => (
            <Link
              key={kind}
              to={RECORD_KINDS[kind].list}
              search={CREATE}
              className={buttonClass(kind === 'licenses' ? 'primary' : 'secondary', 'md', 'justify-start')}
            >
              <Mark icon={CREATE_ICONS[kind]} />
              {LABELS[kind]}
            </Link>
          ))}
        {may('reports:read') && (
          <Link to={PATHS.reports} className={buttonClass('secondary', 'md', 'justify-start')}>
            <Mark icon={ChartColumn} />
            {dashboardTexts.viewReports}
          </Link>
        )}
      </div>
    </Card>
  );
}

const Mark = ({ icon: Icon }: { icon: LucideIcon }) => <Icon aria-hidden className="size-4" />;
