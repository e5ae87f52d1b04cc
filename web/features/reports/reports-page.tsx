import { HandCoins, Printer } from 'lucide-react';
import { Suspense } from 'react';
import { useMay } from '../../api/permissions.ts';
import { codeOf, lazyComponent } from '../../components/frame/code.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { actions, screens } from '../../text/es.ts';
import { placeholderTexts } from '../../text/es-placeholders.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton, SkeletonCard } from '../../ui/skeleton.tsx';
import { readReportsSearch } from './reports-search.ts';

// The charts are loaded here alone, and are no part of the first load. They are on their way as soon as this file is.
const body = codeOf(() => import('./reports-body.tsx'));
void body.fetch().catch(() => undefined);
const ReportsBody = lazyComponent(body, (module) => module.ReportsBody);

/** /reports: what an owner asks on the first of the month (SEED-2.1-12, REPORT-01). The address is its state. */
export function ReportsPage() {
  const search = useSearch(readReportsSearch);
  const navigate = useNavigate();
  return (
    <div className="space-y-6">
      <PageHeader
        title={screens.reports}
        subtitle={placeholderTexts.reports.subtitle}
        actions={
          <>
            <PaymentsLink />
            <Button icon={Printer} onClick={() => window.print()}>
              {actions.print}
            </Button>
          </>
        }
      />
      <Suspense fallback={<BodyPending />}>
        <ReportsBody search={search} onChange={(wanted) => void navigate({ to: '.', search: wanted })} />
      </Suspense>
      <p className="text-xs text-muted" data-print="hidden">
        {placeholderTexts.underDevelopment} {placeholderTexts.reports.planned}
      </p>
    </div>
  );
}

/** The money itself, for those who may see it (PAY-07). */
const PaymentsLink = () =>
  useMay()('payments:read') && (
    <Link to={PATHS.payments} data-print="hidden" className={buttonClass('secondary')}>
      <HandCoins aria-hidden className="size-4 shrink-0" />
      {screens.payments}
    </Link>
  );

/** In the place of the controls and the first cards. */
const BodyPending = () => (
  <>
    <Skeleton className="h-16 w-full sm:max-w-md" />
    <div className="grid gap-6">
      {['revenue', 'renewals', 'licenses', 'usage'].map((name) => (
        <SkeletonCard key={name} className="h-96" />
      ))}
    </div>
  </>
);
