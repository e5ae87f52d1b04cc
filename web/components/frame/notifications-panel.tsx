import { useQuery } from '@tanstack/react-query';
import {
  BanknoteX,
  BellOff,
  CalendarClock,
  Copy,
  DatabaseBackup,
  HandCoins,
  type LucideIcon,
  MailX,
  MessageSquareText,
  MonitorX,
  StickyNote,
  Unplug,
} from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useId, useState } from 'react';
import type {
  Notification,
  NotificationKind,
  NotificationPage,
} from '../../../contract/mail/notifications.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { layoutTexts } from '../../text/es-layout.ts';
import { Code } from '../../ui/code.tsx';
import { cx } from '../../ui/cx.ts';
import { Popover } from '../../ui/popover.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RelativeTime } from '../record/relative-time.tsx';
import { LoadError } from '../screen/load-error.tsx';
import { type Notification as ExpiringLicense, setNotificationsOpen, useUi } from '../screen/ui-store.ts';
import { expiringQuery } from './expiring-licenses.ts';
import { notificationsQuery, useReadNotifications } from './notifications.api.ts';

/**
 * The panel of the bell: notifications, newest first, then licences that end within thirty days, the earliest end
 * first, then licences without a free seat. Each entry is a link (D022, LIFE-10). Opening the panel marks its entries
 * as read on the server; they stay highlighted until it is closed.
 */
export function NotificationsPanel({ trigger }: { trigger: ReactElement }) {
  const open = useUi((state) => state.modals.notifications);
  return (
    <Popover
      title={layoutTexts.notifications}
      open={open}
      onOpenChange={setNotificationsOpen}
      trigger={trigger}
    >
      {open && <Content />}
    </Popover>
  );
}

function Content() {
  const expiring = useQuery(expiringQuery);
  const attention = useQuery(notificationsQuery);
  const unread = useUnreadWhileOpen(attention.data);
  const error = expiring.data === undefined ? expiring.error : attention.data ? null : attention.error;
  if (error) {
    return (
      <LoadError
        title={layoutTexts.notificationsFailed}
        error={error}
        onRetry={() => void Promise.all([expiring.refetch(), attention.refetch()])}
        retrying={expiring.isFetching || attention.isFetching}
      />
    );
  }
  if (expiring.data === undefined || attention.data === undefined) return <Loading />;
  const items = attention.data.results;
  const urgent = items.filter(({ kind }) => kind !== 'expiring' && kind !== 'seats_full');
  // Last: a licence whose seats are all used is often just as it was sold.
  const full = items.filter(({ kind }) => kind === 'seats_full');
  if (urgent.length + full.length + expiring.data.length === 0) return <NoNotifications />;
  return (
    <div className="space-y-3">
      <AttentionGroup title={layoutTexts.attentionTitle} items={urgent} unread={unread} />
      {expiring.data.length > 0 && (
        <Group title={layoutTexts.expiringTitle}>
          {expiring.data.map((license) => (
            <li key={license.id}>
              <LicenseTarget id={license.id}>
                <ExpiringItem
                  license={license}
                  isUnread={attention.data.results.some(
                    (item) =>
                      item.kind === 'expiring' && item.license?.id === license.id && unread.has(item.id),
                  )}
                />
              </LicenseTarget>
            </li>
          ))}
        </Group>
      )}
      <AttentionGroup title={layoutTexts.fullTitle} items={full} unread={unread} />
    </div>
  );
}

function AttentionGroup({
  title,
  items,
  unread,
}: {
  title: string;
  items: readonly Notification[];
  unread: ReadonlySet<string>;
}) {
  if (items.length === 0) return null;
  return (
    <Group title={title}>
      {items.map((item) => (
        <li key={item.id}>
          <NotificationLink item={item}>
            <AttentionItem item={item} isUnread={unread.has(item.id)} />
          </NotificationLink>
        </li>
      ))}
    </Group>
  );
}

/**
 * Marks the entries in the panel as read.
 * @returns the ids of entries that were unread when the panel opened or arrived since
 */
function useUnreadWhileOpen(page: NotificationPage | undefined): ReadonlySet<string> {
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  const { mutate: markRead } = useReadNotifications();
  useEffect(() => {
    const fresh = page?.results.flatMap(({ id, read }) => (read ? [] : [id])) ?? [];
    if (fresh.length === 0) return;
    setUnread((known) => new Set([...known, ...fresh]));
    markRead(fresh);
  }, [page, markRead]);
  return unread;
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section>
      <h3 id={id} className="px-2 pt-1 pb-0.5 text-xs font-semibold text-muted">
        {title}
      </h3>
      <ul aria-labelledby={id}>{children}</ul>
    </section>
  );
}

const TARGET = 'flex gap-2.5 rounded-lg px-2 py-2';

function LicenseTarget({ id, children }: { id: number; children: ReactNode }) {
  const filters = useUi((state) => state.filters[PATHS.licenses]);
  return (
    <Link
      to={PATHS.license}
      params={{ id: String(id) }}
      search={filters}
      onClick={() => setNotificationsOpen(false)}
      className={cx(TARGET, 'hover:bg-sunken')}
    >
      {children}
    </Link>
  );
}

/** The link to the subject of a notification: a licence, a client, the list of webhooks, or 'Sistema'. */
function NotificationLink({
  item: { kind, license, client },
  children,
}: {
  item: Notification;
  children: ReactNode;
}) {
  if (license) return <LicenseTarget id={license.id}>{children}</LicenseTarget>;
  if (kind === 'webhook_disabled' || kind === 'backup_late') {
    return (
      <Link
        to={kind === 'backup_late' ? PATHS.system : PATHS.webhooks}
        onClick={() => setNotificationsOpen(false)}
        className={cx(TARGET, 'hover:bg-sunken')}
      >
        {children}
      </Link>
    );
  }
  if (!client) return <div className={TARGET}>{children}</div>;
  return (
    <Link
      to={PATHS.client}
      params={{ id: String(client.id) }}
      onClick={() => setNotificationsOpen(false)}
      className={cx(TARGET, 'hover:bg-sunken')}
    >
      {children}
    </Link>
  );
}

const ICONS: Record<NotificationKind, LucideIcon> = {
  expiring: CalendarClock,
  mail_failed: MailX,
  payment_review: BanknoteX,
  transfer_notified: HandCoins,
  seats_full: MonitorX,
  webhook_disabled: Unplug,
  client_requested: MessageSquareText,
  backup_late: DatabaseBackup,
  machine_id_shared: Copy,
  note_due: StickyNote,
};

function AttentionItem({ item, isUnread }: { item: Notification; isUnread: boolean }) {
  const Icon = ICONS[item.kind];
  return (
    <>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className={cx('block wrap-anywhere', isUnread && 'font-medium')}>{item.message}</span>
        <RelativeTime value={item.at} className="text-xs text-muted" />
      </span>
      {isUnread && <UnreadDot />}
    </>
  );
}

function ExpiringItem({
  license: { clientName, licenseKey, expiryDate },
  isUnread,
}: {
  license: ExpiringLicense;
  isUnread: boolean;
}) {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate font-medium">{clientName}</span>
          <RelativeTime value={expiryDate} className="shrink-0 text-xs font-medium text-warning-text" />
        </span>
        <Code className="mt-0.5 block truncate text-xs text-muted">{licenseKey}</Code>
      </span>
      {isUnread && <UnreadDot />}
    </>
  );
}

const UnreadDot = () => (
  <span className="mt-1.5 size-2 shrink-0 rounded-full bg-brand">
    <span className="sr-only">{layoutTexts.unread}</span>
  </span>
);

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
