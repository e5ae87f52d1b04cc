import { HandCoins, Printer } from 'lucide-react';
import { Suspense } from 'react';
import { useMay } from '../../api/permissions.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { useNavigate, useSearch } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { actions, screens } from '../../text/es.ts';
import { placeholderTexts } from '../../text/es-placeholders.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Skeleton, SkeletonCard } from '../../ui/skeleton.tsx';
import { readReportsSearch } from './reports-search.ts';

// The charts are loaded only here and are not part of the first load. Loading starts together with this file's.
const body = codeOf(() => import('./reports-body.tsx'));
void body.fetch().catch(() => undefined);
const ReportsBody = lazyComponent(body, (module) => module.ReportsBody);

/**
 * /reports: the reports that a business owner needs (SEED-2.1-12, REPORT-01). Period and filters are stored in the
 * address.
 */
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
        <ReportsBody
          search={search}
          onChange={(requested) => void navigate({ to: '.', search: requested })}
          onTab={(tab) =>
            void navigate({
              to: '.',
              search: { ...search, tab: tab === 'dinero' ? undefined : tab },
              state: true,
              replace: true,
            })
          }
        />
      </Suspense>
      <p className="text-xs text-muted" data-print="hidden">
        {placeholderTexts.underDevelopment} {placeholderTexts.reports.planned}
      </p>
    </div>
  );
}

/** A link to the received payments, for people who may see them (PAY-07). */
const PaymentsLink = () =>
  useMay()('payments:read') && (
    <Link to={PATHS.payments} data-print="hidden" className={buttonClass('secondary')}>
      <HandCoins aria-hidden className="size-4 shrink-0" />
      {screens.payments}
    </Link>
  );

/** Shown instead of the controls and the first cards while they load. */
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
