import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell, BellOff } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { LicenseRow } from '../../contract/licenses.ts';
import { EXPIRING_SOON_DAYS } from '../../contract/limits.ts';
import { isExpired } from '../../contract/time.ts';
import { request } from '../api/http.ts';
import { allRows } from '../api/list-page.ts';
import { KEYS } from '../api/query-keys.ts';
import { PATHS } from '../paths.ts';
import { layoutTexts, notificationsCount } from '../text/es-layout.ts';
import { IconButton } from '../ui/button.tsx';
import { Code } from '../ui/code.tsx';
import { Popover } from '../ui/popover.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { LoadError } from './load-error.tsx';
import { RelativeTime } from './relative-time.tsx';
import { type Notification, setNotifications, setNotificationsOpen, useUi } from './ui-store.ts';

/** The bell is not in a hurry: it asks once the screen has had its turn, or when it is opened. */
const FIRST_ASK_MS = 4000;
const MOST_SHOWN = 20;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Active licences whose date comes within thirty days, the nearest first (D022). */
export function expiringSoon(licenses: readonly LicenseRow[], now: Date): Notification[] {
  const limit = now.getTime() + EXPIRING_SOON_DAYS * DAY_MS;
  return licenses
    .flatMap(({ id, license_key, client_name, expiry_date }) =>
      expiry_date !== null && !isExpired(expiry_date, now) && Date.parse(expiry_date) <= limit
        ? [{ id, licenseKey: license_key, clientName: client_name, expiryDate: expiry_date }]
        : [],
    )
    .sort((one, other) => Date.parse(one.expiryDate) - Date.parse(other.expiryDate));
}

const expiringQuery = queryOptions({
  queryKey: [KEYS.licenses, 'expiring'],
  queryFn: async ({ signal }) =>
    expiringSoon(
      allRows<LicenseRow>(
        await request<unknown>('GET', '/licenses/api/licenses/', {
          query: { is_active: true, ordering: 'expiry_date', page_size: MOST_SHOWN },
          signal,
        }),
      ),
      new Date(),
    ),
});

/** The bell of the top bar: licences that end soon (SEED-2.2-08, D022). No dot without a reason. */
export function NotificationsBell() {
  const open = useUi((state) => state.modals.notifications);
  const notifications = useUi((state) => state.notifications);
  const due = useDueAfter(FIRST_ASK_MS);
  const query = useQuery({ ...expiringQuery, enabled: due || open });
  const { data } = query;
  useEffect(() => {
    if (data !== undefined) setNotifications(data);
  }, [data]);
  const count = notifications.length;
  const countId = useId();
  return (
    <span className="relative inline-flex">
      <Popover
        title={layoutTexts.notifications}
        open={open}
        onOpenChange={setNotificationsOpen}
        trigger={
          <IconButton
            label={layoutTexts.notifications}
            icon={Bell}
            aria-describedby={count > 0 ? countId : undefined}
          />
        }
      >
        {query.isError && count === 0 ? (
          <LoadError
            title={layoutTexts.notificationsFailed}
            error={query.error}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : query.isPending ? (
          <Loading />
        ) : count === 0 ? (
          <NothingToSay />
        ) : (
          <NotificationList notifications={notifications} />
        )}
      </Popover>
      {count > 0 && (
        <span className="pointer-events-none absolute top-1.5 right-1.5 size-2 rounded-full bg-critical ring-2 ring-surface">
          <span id={countId} className="sr-only">
            {notificationsCount(count)}
          </span>
        </span>
      )}
    </span>
  );
}

function NotificationList({ notifications }: { notifications: readonly Notification[] }) {
  const filters = useUi((state) => state.filters.licenses);
  return (
    <ul aria-label={layoutTexts.expiringTitle}>
      {notifications.map((notification) => (
        <li key={notification.id}>
          <Link
            to={PATHS.license}
            params={{ id: String(notification.id) }}
            search={filters}
            onClick={() => setNotificationsOpen(false)}
            className="block rounded-lg px-2 py-2 hover:bg-sunken"
          >
            <span className="flex items-baseline justify-between gap-3">
              <span className="truncate font-medium">{notification.clientName}</span>
              <RelativeTime
                value={notification.expiryDate}
                className="shrink-0 text-xs font-medium text-warning-text"
              />
            </span>
            <Code className="mt-0.5 block truncate text-xs text-muted">{notification.licenseKey}</Code>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function NothingToSay() {
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

/** False at first, true once the time has passed. */
function useDueAfter(milliseconds: number): boolean {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return due;
}
