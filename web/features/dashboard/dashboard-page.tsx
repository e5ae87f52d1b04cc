import { dashboardTexts } from '../../text/es-dashboard.ts';
import { PageHeader } from '../../ui/page-header.tsx';

/** /dashboard. */
export function DashboardPage() {
  return <PageHeader title={dashboardTexts.title} subtitle={dashboardTexts.subtitle} />;
}
