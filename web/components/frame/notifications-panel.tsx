import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import type { ReactElement } from 'react';
import { PATHS } from '../../paths.ts';
import { layoutTexts } from '../../text/es-layout.ts';
import { Code } from '../../ui/code.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { expiringQuery } from './expiring-licenses.ts';
import { LoadError } from './load-error.tsx';
import { type Notification, setNotificationsOpen, useUi } from './ui-store.ts';

/** The panel of the bell: the licences that end within thirty days, each a link to its record (D022). */
export function NotificationsPanel({ trigger }: { trigger: ReactElement }) {
  const open = useUi((state) => state.modals.notifications);
  const { data, error, isFetching, refetch } = useQuery({ ...expiringQuery, enabled: open });
  return (
    <Popover
      title={layoutTexts.notifications}
      open={open}
      onOpenChange={setNotificationsOpen}
      trigger={trigger}
    >
      {data !== undefined ? (
        <NotificationList notifications={data} />
      ) : error === null ? (
        <Loading />
      ) : (
        <LoadError
          title={layoutTexts.notificationsFailed}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
    </Popover>
  );
}

function NotificationList({ notifications }: { notifications: readonly Notification[] }) {
  const filters = useUi((state) => state.filters[PATHS.licenses]);
  if (notifications.length === 0) return <NoNotifications />;
  return (
    <ul aria-label={layoutTexts.expiringTitle}>
      {notifications.map(({ id, clientName, licenseKey, expiryDate }) => (
        <li key={id}>
          <Link
            to={PATHS.license}
            params={{ id: String(id) }}
            search={filters}
            onClick={() => setNotificationsOpen(false)}
            className="block rounded-lg px-2 py-2 hover:bg-sunken"
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate font-medium">{clientName}</span>
              <RelativeTime value={expiryDate} className="shrink-0 text-xs font-medium text-warning-text" />
            </span>
            <Code className="mt-0.5 block truncate text-xs text-muted">{licenseKey}</Code>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function NoNotifications() {
  return (
    <div className="flex flex-col items-center px-4 py-8 text-center">
      <BellOff aria-hidden className="size-5 text-muted" />
      <p className="mt-2 font-medium">{layoutTexts.noNotifications}</p>
      <p className="mt-0.5 text-xs text-muted">{layoutTexts.noNotificationsHint}</p>
    </div>
  );
}

function Loading() {
  return (
    <div className="space-y-3 p-2">
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  );
}
