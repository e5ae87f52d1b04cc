import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Suspense, useCallback, useState } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { Link } from '../../navigation/link.tsx';
import { apiOf, RECORD_KINDS, type RecordKind } from '../../record-kinds.ts';
import { actions } from '../../text/es.ts';
import { bulkTexts } from '../../text/es-bulk.ts';
import { counted } from '../../text/es-lists.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner, Failure } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { OVER_LIST } from '../record/dialog-step.ts';
import { TagActionField } from '../tags/tag-action-field.tsx';
import { type BulkOutcome, type BulkTarget, runBulk } from './bulk-call.ts';
import { type BulkAction, type BulkDefinition, isTagAction } from './bulk-definition.ts';

/** The number of names that are listed before 'y N más'. */
const NAMES_SHOWN = 6;

interface BulkDialogProps {
  action: BulkAction;
  kind: RecordKind;
  bulk: BulkDefinition<never>;
  /** The names of the selected rows. If all matching rows are selected, their names are not known. */
  names: ReadonlyMap<number, string>;
  target: BulkTarget;
  count: number;
  narrowedBy: string;
  /** Called with the ids that stay selected: those that failed. */
  onDone: (failed: readonly number[]) => void;
  onClose: () => void;
  finalFocus: () => HTMLElement | null;
}

/** The progress of the action, and the function that stops it. */
type Progress = { done: number; total: number; stop: (() => Promise<unknown>) | undefined };

/**
 * Asks for confirmation of an action on many records, shows its progress, and then what succeeded and failed
 * (LIST-01).
 */
export function BulkDialog({ action, kind, bulk, onDone, onClose, finalFocus, ...given }: BulkDialogProps) {
  // Fixed when the dialog opens: after the action fewer rows are selected, but the dialog still describes the original
  // ones.
  const [{ target, count, names, narrowedBy }] = useState(given);
  const { name, texts, Fields } = action;
  const { noun } = bulk;
  const what = counted(count, noun);
  const queryClient = useQueryClient();
  const [status, setStatus] = useState('');
  const [checked, setChecked] = useState(false);
  const [form, setForm] = useState<{ fields: Record<string, unknown>; isValid: boolean } | null>(null);
  const takeFields = useCallback(
    (fields: Record<string, unknown>, isValid: boolean) => setForm({ fields, isValid }),
    [],
  );
  const [progress, setProgress] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const isStored = useMailIsStored() && name === 'resend_email';
  const tagged = isTagAction(action) && (kind === 'clients' || kind === 'licenses') ? kind : null;
  const [run, busy] = useOneAtATime(async () => {
    setFailure(null);
    const fields = name === 'set_status' ? bulk.statuses[Number(status)]?.fields : form?.fields;
    try {
      const result = await runBulk({
        path: apiOf(kind),
        target,
        body: { action: name, ...fields },
        onProgress: (done, total, stop) => setProgress({ done, total, stop }),
      });
      await refreshAfterChange(queryClient, kind);
      onDone(result.failed.map(({ id }) => id));
      if (result.failedCount === 0 && result.isComplete) {
        const done = texts.done(result.done, noun);
        if (isStored) toasts.warning(done, outboxTexts.storedMany);
        else toasts.success(done);
        onClose();
      } else setOutcome(result);
    } catch (error) {
      setFailure(errorMessage(error));
      // Other records may match now, so the list behind the dialog is refreshed.
      void refreshAfterChange(queryClient, kind);
    } finally {
      setProgress(null);
    }
  });
  const [stop, stopping] = useOneAtATime(async () => {
    // An error here is not shown. The dialog shows the outcome of the job in any case.
    await progress?.stop?.().catch(() => undefined);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const isReady =
      name === 'set_status' ? status !== '' : (Fields === undefined && tagged === null) || form?.isValid;
    if (isReady) void run();
  };
  const close = () => {
    if (!busy) onClose();
  };

  if (outcome) {
    return (
      <Dialog
        open
        onClose={onClose}
        size="sm"
        title={texts.title(what)}
        finalFocus={finalFocus}
        footer={<Button onClick={onClose}>{actions.close}</Button>}
      >
        <Outcome
          outcome={outcome}
          done={texts.done(outcome.done, noun)}
          names={names}
          noun={noun}
          kind={kind}
          onOpen={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={close}
      size="sm"
      title={texts.title(what)}
      description={texts.question(what, noun)}
      finalFocus={finalFocus}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={close} aria-disabled={busy || undefined}>
            {action.stops ? actions.back : actions.cancel}
          </Button>
          <Button
            type="submit"
            variant={action.isFinal ? 'danger' : 'primary'}
            busy={busy}
            busyLabel={texts.busy}
          >
            {texts.confirm}
          </Button>
        </>
      }
    >
      <Failure text={failure && `${bulkTexts.callFailed}: ${failure}`} />
      {isStored && <Banner tone="warning">{outboxTexts.willStoreMany}</Banner>}
      {name === 'set_status' && (
        <Field
          label={bulkTexts.newStatus}
          required
          error={checked && status === '' ? bulkTexts.chooseStatus : undefined}
        >
          <Select
            value={status}
            onChange={({ target: { value } }) => setStatus(value)}
            none={bulkTexts.chooseStatus}
            choices={bulk.statuses.map(({ label }, position) => [position, label])}
          />
        </Field>
      )}
      <Chosen names={names} all={target.kind === 'filters'} narrowedBy={narrowedBy} />
      {tagged && (
        <TagActionField on={tagged} removes={name === 'remove_tag'} checked={checked} onChange={takeFields} />
      )}
      {Fields && (
        <Suspense fallback={<Skeleton className="h-24 w-full" />}>
          <Fields target={target} checked={checked} onChange={takeFields} />
        </Suspense>
      )}
      {progress && (
        <div role="status" className="space-y-1.5">
          <progress
            aria-label={bulkTexts.working}
            max={progress.total}
            value={progress.done}
            className="w-full accent-brand"
          />
          <div className="flex items-center justify-between gap-3">
            <p className="text-xs text-muted">{bulkTexts.progress(progress.done, progress.total)}</p>
            {progress.stop && (
              <Button size="sm" busy={stopping} busyLabel={bulkTexts.stopping} onClick={stop}>
                {bulkTexts.stop}
              </Button>
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** The names of the selected records, or the filters. */
function Chosen({
  names,
  all,
  narrowedBy,
}: Pick<BulkDialogProps, 'names' | 'narrowedBy'> & { all: boolean }) {
  if (all) return <p className="text-sm">{bulkTexts.allMatching(narrowedBy)}</p>;
  const others = names.size - NAMES_SHOWN;
  return (
    <ul aria-label={bulkTexts.names} className="space-y-1 text-sm">
      {[...names].slice(0, NAMES_SHOWN).map(([id, name]) => (
        <li key={id} className="wrap-anywhere">
          {name}
        </li>
      ))}
      {others > 0 && <li className="text-muted">{bulkTexts.others(others)}</li>}
    </ul>
  );
}

/** The number of successes, and the failures with the server's messages. */
function Outcome({
  outcome: { done: doneCount, failed, failedCount, isComplete, reason },
  done,
  names,
  kind,
  noun,
  onOpen,
}: {
  outcome: BulkOutcome;
  done: string;
  names: ReadonlyMap<number, string>;
  noun: BulkDialogProps['bulk']['noun'];
  kind: RecordKind;
  /** Called when a record is opened, so that the dialog closes. */
  onOpen: () => void;
}) {
  const { one } = RECORD_KINDS[kind];
  return (
    <div role="status" aria-label={bulkTexts.result} className="space-y-4 text-sm">
      {doneCount > 0 && <p>{done}</p>}
      {!isComplete && <p className="text-critical-text">{reason ?? bulkTexts.interrupted}</p>}
      {failedCount > 0 && (
        <div>
          <p className="font-medium text-critical-text">{bulkTexts.failed(failedCount, noun)}</p>
          <ul className="mt-2 space-y-2">
            {failed.map(({ id, message }) => (
              <li key={id}>
                <p className="font-medium wrap-anywhere">
                  {one === null ? (
                    (names.get(id) ?? `${noun.one} ${id}`)
                  ) : (
                    <Link
                      to={one}
                      params={{ id: String(id) }}
                      search={true}
                      state={OVER_LIST}
                      preload={false}
                      onClick={onOpen}
                      className="rounded-sm text-brand-text underline underline-offset-2"
                    >
                      {names.get(id) ?? `${noun.one} ${id}`}
                    </Link>
                  )}
                </p>
                <p className="text-muted">{message}</p>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
