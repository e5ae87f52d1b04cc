import {
  BanknoteArrowUp,
  CalendarClock,
  CalendarX,
  Check,
  Clock,
  DatabaseBackup,
  FlaskConical,
  HandCoins,
  type LucideIcon,
  MailWarning,
  MessageCircleQuestion,
  ShieldAlert,
  StickyNote,
  Webhook,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { addDays, localDay, mondayOf } from '../../../contract/base/time.ts';
import type { TodayItem } from '../../../contract/desk/today.ts';
import { readTodayId, type TodayKind } from '../../../contract/desk/today-kinds.ts';
import { plainMenu, RowMenu } from '../../components/list/row-menu.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { businessTimeZoneInUse, formatPrice } from '../../text/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ACT_LABELS, NOT_ARRIVED, TODAY_KIND_LABELS, inboxTexts as texts } from './inbox-texts.ts';

const CRITICAL = 'bg-critical-tint text-critical-text';
const WARNING = 'bg-warning-tint text-warning-text';
const INFO = 'bg-info-tint text-info-text';

/** The colour says how urgent a row is; its text says the same. */
const LOOKS: Readonly<Record<TodayKind, { icon: LucideIcon; className: string }>> = {
  transfer_notified: { icon: HandCoins, className: WARNING },
  payment_review: { icon: BanknoteArrowUp, className: WARNING },
  client_request: { icon: MessageCircleQuestion, className: INFO },
  refused_program: { icon: ShieldAlert, className: CRITICAL },
  note_due: { icon: StickyNote, className: INFO },
  expiring: { icon: CalendarClock, className: WARNING },
  trial_ending: { icon: FlaskConical, className: WARNING },
  expired_unrenewed: { icon: CalendarX, className: CRITICAL },
  mail_failed: { icon: MailWarning, className: CRITICAL },
  webhook_disabled: { icon: Webhook, className: CRITICAL },
  backup_late: { icon: DatabaseBackup, className: CRITICAL },
};

export interface InboxRowActions {
  act: (item: TodayItem) => Promise<void> | void;
  /** 'No llegó', of a notice of a transfer. */
  dismiss: (item: TodayItem) => void;
  done: (item: TodayItem) => void;
  later: (item: TodayItem, until: string) => void;
  /** Asks for another day. */
  askDay: (item: TodayItem) => void;
}

/** A row of the inbox: what is to be done, its one button, 'Hecho' and 'Más tarde'. As high as its text. */
export function InboxRow({ item, on }: { item: TodayItem; on: InboxRowActions }) {
  const { icon: Icon, className } = LOOKS[item.kind];
  const [isActing, setIsActing] = useState(false);
  const label = ACT_LABELS[item.action];
  const act = async () => {
    setIsActing(true);
    await on.act(item);
    setIsActing(false);
  };
  return (
    <li
      data-row-key={item.id}
      className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-5 py-2 -outline-offset-2 hover:bg-sunken/60 max-sm:px-4 sm:flex-nowrap"
    >
      <span
        title={TODAY_KIND_LABELS[item.kind]}
        className={cx('flex size-8 shrink-0 items-center justify-center rounded-lg', className)}
      >
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1 basis-40">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <Subject item={item}>
            <bdi className="wrap-anywhere">{item.title}</bdi>
          </Subject>
          {item.amount !== null && item.currency !== null && (
            <span className="font-medium whitespace-nowrap">{formatPrice(item.amount, item.currency)}</span>
          )}
        </div>
        <p className="text-xs/4 text-muted wrap-anywhere">
          <span className="sr-only">{`${TODAY_KIND_LABELS[item.kind]}. `}</span>
          {item.detail}
        </p>
      </div>
      <div className="flex shrink-0 items-center justify-end gap-1 max-sm:w-full max-sm:justify-start max-sm:pl-11">
        {item.kind === 'transfer_notified' && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => on.dismiss(item)}
            aria-label={texts.of(NOT_ARRIVED, item.title)}
            className="max-sm:order-1 max-sm:mr-auto"
          >
            {NOT_ARRIVED}
          </Button>
        )}
        <Button
          size="sm"
          busy={isActing}
          onClick={() => void act()}
          aria-label={texts.of(label, item.title)}
          className={cx('sm:w-34', item.kind !== 'transfer_notified' && 'max-sm:mr-auto')}
        >
          {label}
        </Button>
        <IconButton
          size="sm"
          icon={Check}
          label={texts.of(texts.done, item.title)}
          onClick={() => on.done(item)}
        />
        <RowMenu button={<IconButton size="sm" icon={Clock} label={texts.of(texts.later, item.title)} />}>
          {plainMenu(laterItems(item, on))}
        </RowMenu>
      </div>
    </li>
  );
}

function laterItems(item: TodayItem, on: InboxRowActions) {
  const tomorrow = addDays(localDay(new Date(), businessTimeZoneInUse()), 1);
  const monday = addDays(mondayOf(tomorrow), mondayOf(tomorrow) === tomorrow ? 0 : 7);
  return [
    { label: texts.tomorrow(tomorrow), icon: Clock, onChoose: () => on.later(item, tomorrow) },
    ...(monday === tomorrow
      ? []
      : [{ label: texts.monday(monday), icon: CalendarClock, onChoose: () => on.later(item, monday) }]),
    { label: texts.anotherDay, icon: CalendarClock, onChoose: () => on.askDay(item) },
  ];
}

/** The title, as a link to what the row is about. */
function Subject({
  item: { id, kind, license, client },
  children,
}: {
  item: TodayItem;
  children: ReactNode;
}) {
  const className = 'font-medium hover:text-brand-text hover:underline';
  const record = String(readTodayId(id)?.record ?? '');
  if (kind === 'payment_review' || kind === 'transfer_notified') {
    return (
      <Link to={PATHS.paymentRequest} params={{ id: record }} preload={false} className={className}>
        {children}
      </Link>
    );
  }
  if (license !== null) {
    return (
      <Link to={PATHS.license} params={{ id: String(license.id) }} preload={false} className={className}>
        {children}
      </Link>
    );
  }
  if (client !== null) {
    return (
      <Link to={PATHS.client} params={{ id: String(client.id) }} preload={false} className={className}>
        {children}
      </Link>
    );
  }
  return <p className="font-medium">{children}</p>;
}
