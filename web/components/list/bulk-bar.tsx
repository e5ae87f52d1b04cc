import { Download, Ellipsis, ListChecks, type LucideIcon, Mail, MonitorOff, Trash2, X } from 'lucide-react';
import { use, useState } from 'react';
import { BULK_IDS_MAX } from '../../../contract/base/limits.ts';
import type { QueryValue } from '../../api/answer.ts';
import { download } from '../../api/http.ts';
import type { ListPage } from '../../api/list-page.ts';
import { isOffer, OFFERS } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { apiOf, type RecordKind } from '../../record-kinds.ts';
import { actions, exportTexts } from '../../text/es.ts';
import { BULK_TEXTS, type CommonBulkAction } from '../../text/es-bulk.ts';
import { counted, selectionTexts } from '../../text/es-lists.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toasts.ts';
import { codeOf, lazyComponent } from '../frame/code.tsx';
import { DialogCode } from '../frame/dialog-code.tsx';
import { useFirstGesture } from '../frame/use-first-gesture.ts';
import { choicesOf } from '../record/choices.ts';
import { useAction } from '../record/use-action.ts';
import type { BulkAction, BulkDefinition } from './bulk-definition.ts';
import type { ListDefinition, Listed, ListSearch } from './list-definition.ts';
import type { RowSelection } from './use-row-selection.ts';

const dialogCode = codeOf(() => import('./bulk-dialog.tsx'));
const BulkDialog = lazyComponent(dialogCode, (module) => module.BulkDialog);
const loadDialog = () => void dialogCode.fetch().catch(() => undefined);

/** The actions that several lists have, in the order of the bar. */
const COMMON: Record<CommonBulkAction, LucideIcon> = {
  set_status: ListChecks,
  resend_email: Mail,
  release_seats: MonitorOff,
  delete: Trash2,
};

/** Those of a kind. */
const commonActions = (kind: RecordKind): BulkAction[] =>
  choicesOf(COMMON).flatMap((name) => {
    const offer = `${kind}.bulk.${name}`;
    if (!isOffer(offer)) return [];
    const isFinal = name === 'delete';
    const [permission, icon, texts] = [OFFERS[offer], COMMON[name], BULK_TEXTS[name]];
    return { name, permission, icon, texts, isFinal, stops: false };
  });

/** What a selection offers: an action, or its export. */
interface BarAction {
  label: string;
  icon: LucideIcon;
  isDanger?: boolean;
  busy?: boolean;
  busyLabel?: string;
  run: () => void;
}

interface BulkBarProps {
  kind: RecordKind;
  bulk: BulkDefinition<never>;
  exports: ListDefinition<Listed, ListSearch>['exports'];
  /** Search and filters by their names on the wire. */
  filters: Record<string, QueryValue>;
  selection: Pick<RowSelection<Listed>, 'names' | 'all' | 'selectAll' | 'keep'>;
  page: ListPage<unknown> | undefined;
  /** The filters that are on, in words. */
  narrowedBy: string;
  /** Gets the focus when the bar is gone. */
  heading: () => HTMLElement | null;
}

/** The bar under a list with ticked rows: how many, all that match, and what can be done with them (LIST-01). */
export function BulkBar({
  kind,
  bulk,
  exports,
  filters,
  selection,
  page,
  narrowedBy,
  heading,
}: BulkBarProps) {
  const { noun } = bulk;
  const [action, setAction] = useState<BulkAction | null>(null);
  const [menuOpen, setMenuOpen] = useState(false);
  useFirstGesture(loadDialog);
  const may = useMay();
  const total = page?.total ?? 0;
  const count = selection.all ? total : selection.names.size;
  const ids = [...selection.names.keys()];

  const [save, saving] = useAction(exportTexts.title, async () => {
    if (!selection.all && ids.length > BULK_IDS_MAX) {
      toasts.error(exportTexts.title, selectionTexts.exportTooMany);
      return;
    }
    if (exports === undefined) return;
    const query = selection.all ? filters : { ids: ids.join(',') };
    await download(`${apiOf(kind)}export/`, { query, ...exports });
  });
  // After every hook: once the code is here, a render that waited for it goes on without `use`, and React then takes hooks
  // that follow for new ones.
  const own = bulk.own ? (bulk.own.module ?? use(bulk.own.wanted())).BULK_ACTIONS : [];
  const offered = [...own, ...commonActions(kind)].filter(({ permission }) => may(permission));
  const clear = () => {
    selection.keep([]);
    heading()?.focus();
  };
  const close = () => setAction(null);
  const act = (chosen: BulkAction): BarAction => ({
    label: chosen.texts.label,
    icon: chosen.icon,
    isDanger: chosen.name === 'delete',
    run: () => setAction(chosen),
  });
  const barActions: BarAction[] = [
    ...offered.filter(({ name }) => name !== 'delete').map(act),
    ...(exports
      ? [
          {
            label: selectionTexts.export(noun),
            icon: Download,
            busy: saving,
            busyLabel: actions.exporting,
            run: save,
          },
        ]
      : []),
    ...offered.filter(({ name }) => name === 'delete').map(act),
  ];
  const offersAll = !selection.all && page !== undefined && !page.isMore && total > count;

  return (
    <>
      {count > 0 && (
        <section
          aria-label={selectionTexts.bar}
          data-print="hidden"
          className="sticky bottom-4 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-border bg-raised px-4 py-2.5 shadow-float"
        >
          <p role="status" className="font-medium">
            {selectionTexts.count(count, noun)}
          </p>
          {offersAll && (
            <Button size="sm" variant="ghost" className="max-sm:order-1" onClick={selection.selectAll}>
              {selectionTexts.all(total, noun)}
            </Button>
          )}
          <IconButton
            size="sm"
            icon={X}
            label={selectionTexts.clear}
            className="ml-auto 2xl:order-last 2xl:ml-0"
            onClick={clear}
          />
          <div className="flex w-full flex-wrap gap-1.5 max-sm:hidden 2xl:ml-auto 2xl:w-auto">
            {barActions.map((action) => (
              <BarButton key={action.label} action={action} />
            ))}
          </div>
          {/* A phone has room for one button with its word; the other actions have theirs in a menu. */}
          <div className="order-2 flex w-full flex-wrap gap-1.5 sm:hidden">
            {barActions.slice(0, 1).map((action) => (
              <BarButton key={action.label} action={action} />
            ))}
            {barActions.length > 1 && (
              <Menu
                trigger={
                  <Button size="sm" icon={Ellipsis} busy={saving} busyLabel={actions.exporting}>
                    {actions.more}
                  </Button>
                }
                items={barActions.slice(1).map(({ label, icon, isDanger, run }) => ({
                  label,
                  icon,
                  ...(isDanger && { tone: 'danger' as const }),
                  onChoose: run,
                }))}
                open={menuOpen}
                onOpenChange={setMenuOpen}
              />
            )}
          </div>
        </section>
      )}
      <DialogPlace open={action !== null}>
        {action !== null && (
          <DialogCode
            key={action.name}
            title={action.texts.title(counted(count, noun))}
            size="sm"
            onClose={close}
          >
            <BulkDialog
              action={action}
              kind={kind}
              bulk={bulk}
              names={selection.names}
              target={
                selection.all ? { kind: 'filters', filters: filters, count: total } : { kind: 'ids', ids }
              }
              count={count}
              narrowedBy={narrowedBy}
              onDone={selection.keep}
              onClose={close}
              finalFocus={heading}
            />
          </DialogCode>
        )}
      </DialogPlace>
    </>
  );
}

const BarButton = ({ action: { label, icon, isDanger, busy, busyLabel, run } }: { action: BarAction }) => (
  <Button
    size="sm"
    variant={isDanger ? 'danger' : 'secondary'}
    icon={icon}
    onClick={run}
    {...(busy !== undefined && { busy })}
    {...(busyLabel !== undefined && { busyLabel })}
  >
    {label}
  </Button>
);
