import { Link } from '@tanstack/react-router';
import { ChartColumn, FilePlus2, PackagePlus, UserPlus } from 'lucide-react';
import { PATHS } from '../../paths.ts';
import { dashboardTexts } from '../../text/es-dashboard.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

const CREATE = { nuevo: '1' } as const;
const quiet = buttonClass('secondary', 'md', 'justify-start');

/** Links that look like buttons: they lead to the screen with its create dialog open (SEED-2.5-10, D021). */
export function QuickActionsCard() {
  return (
    <Card title={dashboardTexts.quickActions}>
      <div className="grid gap-2 sm:grid-cols-2 md:grid-cols-1">
        <Link to={PATHS.licenses} search={CREATE} className={buttonClass('primary', 'md', 'justify-start')}>
          <FilePlus2 aria-hidden className="size-4" />
          {dashboardTexts.newLicense}
        </Link>
        <Link to={PATHS.clients} search={CREATE} className={quiet}>
          <UserPlus aria-hidden className="size-4" />
          {dashboardTexts.addClient}
        </Link>
        <Link to={PATHS.software} search={CREATE} className={quiet}>
          <PackagePlus aria-hidden className="size-4" />
          {dashboardTexts.registerSoftware}
        </Link>
        <Link to={PATHS.reports} className={quiet}>
          <ChartColumn aria-hidden className="size-4" />
          {dashboardTexts.viewReports}
        </Link>
      </div>
    </Card>
  );
}
