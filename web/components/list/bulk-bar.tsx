import {
  Download,
  Ellipsis,
  ListChecks,
  type LucideIcon,
  Mail,
  MonitorOff,
  Tag,
  Tags,
  Trash2,
  X,
} from 'lucide-react';
import { use, useState } from 'react';
import { BULK_IDS_MAX } from '../../../contract/base/limits.ts';
import type { QueryValues } from '../../api/answer.ts';
import { download } from '../../api/http.ts';
import type { ListPage } from '../../api/list-page.ts';
import { isOffer, OFFERS } from '../../api/offers.ts';
import { useMay } from '../../api/permissions.ts';
import { apiOf, type RecordKind } from '../../record-kinds.ts';
import { actions, exportTexts } from '../../text/es.ts';
import { BULK_TEXTS, type CommonBulkAction } from '../../text/es-bulk.ts';
import { counted, selectionTexts } from '../../text/es-lists.ts';
import { formatNumber } from '../../text/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { DialogPlace } from '../../ui/dialog-place.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toasts.ts';
import { choicesOf } from '../record/choices.ts';
import { useAction } from '../record/use-action.ts';
import { codeOf, lazyComponent } from '../screen/code.tsx';
import { DialogCode } from '../screen/dialog-code.tsx';
import { useFirstGesture } from '../screen/use-first-gesture.ts';
import { type BulkAction, type BulkDefinition, isTagAction } from './bulk-definition.ts';
import { IN_WORDS } from './export-button.tsx';
import type { ListDefinition, Listed, ListSearch } from './list-definition.ts';
import type { RowSelection } from './use-row-selection.ts';

const dialogCode = codeOf(() => import('./bulk-dialog.tsx'));
const BulkDialog = lazyComponent(dialogCode, (module) => module.BulkDialog);
const loadDialog = () => void dialogCode.fetch().catch(() => undefined);

const COMMON: Record<CommonBulkAction, LucideIcon> = {
  set_status: ListChecks,
  resend_email: Mail,
  release_seats: MonitorOff,
  add_tag: Tag,
  remove_tag: Tags,
  delete: Trash2,
};

const commonActions = (kind: RecordKind): BulkAction[] =>
  choicesOf(COMMON).flatMap((name) => {
    const offer = `${kind}.bulk.${name}`;
    if (!isOffer(offer)) return [];
    const isFinal = name === 'delete';
    const [permission, icon, texts] = [OFFERS[offer], COMMON[name], BULK_TEXTS[name]];
    return { name, permission, icon, texts, isFinal, stops: false };
  });

/** A button for the selection: a bulk action, or the export. */
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
  /** Search and filters by their API names. */
  filters: QueryValues;
  selection: Pick<RowSelection<Listed>, 'names' | 'rows' | 'all' | 'selectAll' | 'keep'>;
  /** For how many selected rows an action is possible; null if not all selected rows are loaded. */
  fitting: (action: string) => number | null;
  page: ListPage<unknown> | undefined;
  /** The active filters, as text. */
  narrowedBy: string;
  /** The element that gets the focus when the bar disappears. */
  heading: () => HTMLElement | null;
}

/** The bar under a list with selected rows: their number, 'select all', and the bulk actions (LIST-01). */
export function BulkBar(props: BulkBarProps) {
  const { own } = props.bulk;
  // Calling `use` conditionally is safe here: no hook follows. If the module arrives while the component is suspended,
  // the next render does not call `use`.
  const actionsOfList = own ? (own.module ?? use(own.required())).BULK_ACTIONS : [];
  return <LoadedBar {...props} own={actionsOfList} />;
}

function LoadedBar({
  kind,
  bulk,
  exports,
  filters,
  selection,
  fitting,
  page,
  narrowedBy,
  heading,
  own,
}: BulkBarProps & { own: readonly BulkAction[] }) {
  const { noun } = bulk;
  const [action, setAction] = useState<BulkAction | null>(null);
  useFirstGesture(loadDialog);
  const may = useMay();
  const offered = [...own, ...commonActions(kind)].filter(
    ({ name, permission }) => may(permission) && fitting(name) !== 0,
  );
  const total = page?.total ?? 0;
  const count = selection.all ? total : selection.names.size;
  const ids = [...selection.names.keys()];

  const [save, saving] = useAction(exportTexts.title, async () => {
    if (!selection.all && ids.length > BULK_IDS_MAX) {
      toasts.error(exportTexts.title, selectionTexts.exportTooMany);
      return;
    }
    if (exports === undefined) return;
    const query = { ...(selection.all ? filters : { ids: ids.join(',') }), ...IN_WORDS };
    await download(`${apiOf(kind)}export/`, { query, ...exports });
  });
  const clear = () => {
    selection.keep([]);
    heading()?.focus();
  };
  const close = () => setAction(null);
  const act = (chosen: BulkAction): BarAction => ({
    label: withNumber(chosen.texts.label, fitting(chosen.name)),
    icon: chosen.icon,
    isDanger: chosen.isFinal,
    run: () => setAction(chosen),
  });
  const barActions: BarAction[] = [
    ...offered.filter((one) => !one.isFinal && !isTagAction(one)).map(act),
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
    // After the export, which is used more often, so that it stays in sight.
    ...offered.filter(isTagAction).map(act),
    // Actions that cannot be undone come last, away from frequent ones.
    ...offered.filter(({ isFinal }) => isFinal).map(act),
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
          <BarActions
            actions={barActions}
            inSight={IN_SIGHT}
            more={selectionTexts.more}
            className="max-sm:hidden 2xl:ml-auto 2xl:w-auto"
          />
          {/* A phone has room for one labelled button. */}
          <BarActions
            actions={barActions}
            inSight={1}
            more={actions.more}
            busyLabel={actions.exporting}
            className="order-2 sm:hidden"
          />
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
            {action.OwnDialog ? (
              <action.OwnDialog
                rows={selection.rows}
                all={selection.all}
                onClose={close}
                finalFocus={heading}
              />
            ) : (
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
            )}
          </DialogCode>
        )}
      </DialogPlace>
    </>
  );
}

/** The number of actions shown as buttons; the others are in a menu. */
const IN_SIGHT = 3;

/** 'Reactivar 2': the label with the number of selected rows for which the action is possible. */
const withNumber = (label: string, count: number | null) =>
  count === null ? label : `${label} ${formatNumber(count)}`;

interface BarActionsProps {
  actions: readonly BarAction[];
  inSight: number;
  /** The label of the menu. */
  more: string;
  /** The label of the menu's button while an action runs; absent: only a spinner is shown. */
  busyLabel?: string;
  className: string;
}

/** The first actions as buttons, the others in a menu. */
function BarActions({ actions: all, inSight, more, busyLabel, className }: BarActionsProps) {
  const [open, setOpen] = useState(false);
  const rest = all.slice(inSight);
  // The menu's button shows that an action from the menu is running.
  const busy = rest.some((action) => action.busy);
  return (
    <div className={cx('flex w-full flex-wrap gap-1.5', className)}>
      {all.slice(0, inSight).map((action) => (
        <BarButton key={action.label} action={action} />
      ))}
      {rest.length > 0 && (
        <Menu
          trigger={
            <Button size="sm" icon={Ellipsis} busy={busy} {...(busyLabel && { busyLabel })}>
              {more}
            </Button>
          }
          items={rest.map(({ label, icon, isDanger, run }) => ({
            label,
            icon,
            ...(isDanger && { tone: 'danger' as const }),
            onChoose: run,
          }))}
          open={open}
          onOpenChange={setOpen}
        />
      )}
    </div>
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
