import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig } from 'lucide-react';
import { useRef, useState } from 'react';
import type { TodayItem } from '../../../contract/desk/today.ts';
import { TODAY_KINDS, TODAY_PERMISSIONS } from '../../../contract/desk/today-kinds.ts';
import type { Today } from '../../../contract/figures/today.ts';
import { useMay } from '../../api/permissions.ts';
import { useSteadyRows } from '../../components/list/use-steady-rows.ts';
import { codeOf, lazyComponent } from '../../components/screen/code.tsx';
import { DialogCode } from '../../components/screen/dialog-code.tsx';
import { LoadError } from '../../components/screen/load-error.tsx';
import { states } from '../../text/es.ts';
import { Card } from '../../ui/card.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { inboxQuery } from './dashboard.api.ts';
import { todayTexts } from './dashboard-texts.ts';
import { InboxRow } from './inbox-row.tsx';
import { ACT_LABELS, NOT_ARRIVED, inboxTexts as texts } from './inbox-texts.ts';
import { TodayFigures } from './today-figures.tsx';
import { useInboxActs } from './use-inbox-acts.ts';
import { useInboxKeys } from './use-inbox-keys.ts';
import { useInboxMarks } from './use-inbox-marks.ts';

const dialogs = codeOf(() => import('./inbox-dialogs.tsx'));
const InboxActDialog = lazyComponent(dialogs, (module) => module.InboxActDialog);
const InboxLaterDialog = lazyComponent(dialogs, (module) => module.InboxLaterDialog);

/** So many rows are shown at first, so that the figures below stay near. */
const SHOWN_FIRST = 8;

/** 'Para hoy': what somebody must do now, as high as that is (DESK-01), and the figures behind it. */
export function InboxCard({ today }: { today: Today | undefined }) {
  const may = useMay();
  const { data, error, refetch, isFetching } = useQuery(inboxQuery);
  const marks = useInboxMarks();
  const [isWhole, setIsWhole] = useState(false);
  const [asked, setAsked] = useState<{ item: TodayItem; dialog: 'act' | 'later' | 'dismiss' } | null>(null);
  const listRef = useRef<HTMLUListElement>(null);
  const act = useInboxActs((item) => setAsked({ item, dialog: 'act' }));
  const open = useSteadyRows(data?.results.filter(({ id }) => !marks.gone.has(id)));
  const rows = isWhole ? open : open?.slice(0, SHOWN_FIRST);

  /** The row that follows gets the focus, so that E, E, E empties the list. */
  const leave = (item: TodayItem) => {
    const all = [...(listRef.current?.querySelectorAll<HTMLElement>('[data-row-key]') ?? [])];
    const at = all.findIndex(({ dataset }) => dataset.rowKey === item.id);
    const hadFocus = all[at]?.contains(document.activeElement) === true;
    const next = all[at + 1] ?? all[at - 1];
    if (!hadFocus || next === undefined) return;
    next.tabIndex = 0;
    next.focus();
  };
  const on = {
    act,
    done: (item: TodayItem) => {
      leave(item);
      void marks.done(item);
    },
    later: (item: TodayItem, until: string) => {
      leave(item);
      void marks.later(item, until);
    },
    dismiss: (item: TodayItem) => setAsked({ item, dialog: 'dismiss' }),
    askDay: (item: TodayItem) => setAsked({ item, dialog: 'later' }),
  };
  const named = (run: (item: TodayItem) => unknown) => (id: string) => {
    const item = open?.find((one) => one.id === id);
    if (item !== undefined) run(item);
  };
  useInboxKeys(listRef, { act: named(act), done: named(on.done) });

  const isForPerson = TODAY_KINDS.some((kind) => may(TODAY_PERMISSIONS[kind] ?? 'clients:write'));
  const count = data && Math.max(0, data.count - marks.gone.size);
  const close = () => setAsked(null);
  /** The row of the dialog if it is still there, else the next thing to do. */
  const finalFocus = () => {
    const own = asked && listRef.current?.querySelector(`[data-row-key="${CSS.escape(asked.item.id)}"]`);
    return (
      (own ?? listRef.current)?.querySelector<HTMLElement>('button') ??
      document.getElementById('contenido') ??
      undefined
    );
  };
  return (
    <Card
      title={todayTexts.title}
      padding="none"
      action={
        isForPerson &&
        count !== undefined &&
        count > 0 && (
          <p className="text-xs/6 text-muted">{texts.count(count, data?.count_is_exact !== false)}</p>
        )
      }
    >
      {isForPerson && data === undefined && error !== null && (
        <div className="px-5 pb-5">
          <LoadError
            title={texts.failed}
            error={error}
            onRetry={() => void refetch()}
            retrying={isFetching}
          />
        </div>
      )}
      {isForPerson && data === undefined && error === null && <OnItsWay />}
      {isForPerson && rows !== undefined && rows.length === 0 && <AllDone />}
      {isForPerson && rows !== undefined && rows.length > 0 && open !== undefined && (
        <>
          <ul ref={listRef} aria-label={texts.list} className="divide-y divide-border border-t border-border">
            {rows.map((item) => (
              <InboxRow key={item.id} item={item} on={on} />
            ))}
          </ul>
          {open.length > rows.length && (
            <p className="border-t border-border px-5 py-2.5 max-sm:px-4">
              <TextButton onClick={() => setIsWhole(true)}>{texts.all(open.length - rows.length)}</TextButton>
            </p>
          )}
          {isWhole && data !== undefined && data.count > data.results.length && (
            <p className="border-t border-border px-5 py-2.5 text-xs text-muted max-sm:px-4">
              {texts.andMore(data.results.length)}
            </p>
          )}
        </>
      )}
      {today !== undefined && <TodayFigures today={today} />}
      <DialogPlace open={asked !== null}>
        {asked !== null && (
          <DialogCode
            key={asked.dialog}
            title={
              asked.dialog === 'later'
                ? texts.laterDialog.title
                : asked.dialog === 'dismiss'
                  ? NOT_ARRIVED
                  : ACT_LABELS[asked.item.action]
            }
            onClose={close}
          >
            {asked.dialog === 'later' ? (
              <InboxLaterDialog
                item={asked.item}
                send={marks.laterOrThrow}
                onClose={close}
                finalFocus={finalFocus}
              />
            ) : (
              <InboxActDialog
                item={asked.item}
                isDismissed={asked.dialog === 'dismiss'}
                onDone={() => on.done(asked.item)}
                onClose={close}
                finalFocus={finalFocus}
              />
            )}
          </DialogCode>
        )}
      </DialogPlace>
    </Card>
  );
}

/** The card before it is known what is for today. */
export const InboxOnItsWay = () => (
  <Card title={todayTexts.title} padding="none">
    <OnItsWay />
  </Card>
);

const OnItsWay = () => (
  <div role="status" className="space-y-4 border-t border-border px-5 py-4">
    <span className="sr-only">{states.loading}</span>
    <Skeleton className="h-4 w-2/3" />
    <Skeleton className="h-4 w-1/2" />
    <Skeleton className="h-4 w-3/5" />
  </div>
);

const AllDone = () => (
  <div role="status" className="flex items-center gap-3 border-t border-border px-5 py-4 max-sm:px-4">
    <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-success-tint text-success-text">
      <CircleCheckBig aria-hidden className="size-4.5" />
    </span>
    <p>
      <span className="block font-medium">{texts.empty}</span>
      <span className="block text-xs text-muted">{texts.emptyText}</span>
    </p>
  </div>
);
