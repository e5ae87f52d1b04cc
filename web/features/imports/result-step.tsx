import { useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  type ImportError,
  type ImportProgress,
  type ImportResult,
  isImportBusy,
} from '../../../contract/imports/imports.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useOffers } from '../../api/offers.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { actions, KIND_NOUNS } from '../../text/es.ts';
import { formatDateTime } from '../../text/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.ts';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { Figures } from './figures.tsx';
import { ImportErrors } from './import-errors.tsx';
import { ImportProgressBar } from './import-progress.tsx';
import { ImportedTwins } from './imported-twins.tsx';
import { useCancelImport, useUndoImport } from './imports.api.ts';
import { importTexts, resultTexts as texts } from './imports-texts.ts';
import { StepCard } from './step-card.tsx';

const NOTHING_YET: ImportResult = {
  created: 0,
  updated: 0,
  new_clients: 0,
  unchanged: 0,
  errors: [],
  rows_with_errors: 0,
  errors_total: 0,
};

interface ResultStepProps {
  progress: ImportProgress;
  /** True if the last query of the progress failed. */
  isOffline: boolean;
}

/** Step 4, 'Resultado': the progress of the import, and at the end its result. */
export function ResultStep({ progress, isOffline }: ResultStepProps) {
  const busy = isImportBusy(progress.state);
  useFreshLists(progress, busy);
  if (!busy) return <Ended key={progress.state} progress={progress} />;
  return progress.undo_asked_at === null ? (
    <Running progress={progress} isOffline={isOffline} />
  ) : (
    <Undoing progress={progress} isOffline={isOffline} />
  );
}

/** After the import has ended, refetches the lists, so that they show the stored records. */
function useFreshLists({ kind }: ImportProgress, busy: boolean): void {
  const queryClient = useQueryClient();
  const wasBusy = useRef(busy);
  useEffect(() => {
    if (wasBusy.current && !busy) void refreshAfterChange(queryClient, kind);
    wasBusy.current = busy;
  }, [queryClient, kind, busy]);
}

const figuresOf = (result: ImportResult, noun: (typeof KIND_NOUNS)[keyof typeof KIND_NOUNS]) => [
  { label: texts.figures.created(noun), value: result.created },
  { label: texts.figures.updated(noun), value: result.updated },
  { label: texts.figures.unchanged, value: result.unchanged },
  { label: texts.figures.errors, value: result.rows_with_errors, isWrong: true },
];

function Running({ progress, isOffline }: ResultStepProps) {
  const { id, kind, result } = progress;
  const noun = KIND_NOUNS[kind];
  const [asks, setAsks] = useState(false);
  const cancel = useCancelImport(id);
  const opener = useRef<HTMLButtonElement>(null);
  const [stop, stopping] = useOneAtATime(async () => {
    try {
      await cancel.mutateAsync();
    } catch (error) {
      toasts.error(importTexts.callFailed, errorMessage(error));
    } finally {
      setAsks(false);
    }
  });
  return (
    <StepCard
      title={texts.running}
      subtitle={texts.leave}
      footer={
        <Button ref={opener} onClick={() => setAsks(true)}>
          {texts.cancel}
        </Button>
      }
    >
      <ImportProgressBar label={texts.progress} done={progress.done} total={progress.total} />
      <Figures figures={figuresOf(result ?? NOTHING_YET, noun)} />
      {isOffline && (
        <Banner tone="warning" announce="status">
          {texts.offline}
        </Banner>
      )}
      <ConfirmDialog
        open={asks}
        title={texts.cancelTitle}
        text={texts.cancelText(noun)}
        confirmLabel={texts.cancel}
        busyLabel={texts.cancelling}
        cancelLabel={texts.goOn}
        busy={stopping}
        tone="danger"
        onConfirm={() => void stop()}
        onCancel={() => setAsks(false)}
        finalFocus={opener}
      />
    </StepCard>
  );
}

function Undoing({ progress, isOffline }: ResultStepProps) {
  return (
    <StepCard title={texts.undoing} subtitle={texts.undoLeave} footer={null}>
      <ImportProgressBar label={texts.undoing} done={progress.done} total={progress.total} />
      {isOffline && (
        <Banner tone="warning" announce="status">
          {texts.offline}
        </Banner>
      )}
    </StepCard>
  );
}

/** How often the time is compared with the end of what can be undone. */
const TICK_MS = 60_000;

/** Whether an ended import can still be undone, by this person. */
function useUndoable({ kind, result, undo_until }: ImportProgress): boolean {
  const isOffered = useOffers();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (undo_until === null) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [undo_until]);
  if (undo_until === null || result === null || now >= Date.parse(undo_until)) return false;
  const needed = [
    `${kind}.import` as const,
    ...(result.created > 0 ? [`${kind}.remove` as const] : []),
    ...(result.updated > 0 ? [`${kind}.edit` as const] : []),
    ...(result.new_clients > 0 ? ['clients.remove' as const] : []),
  ];
  return needed.every((offer) => isOffered(offer));
}

/** 'Deshacer importación': says what it will do, asks, and shows what prevents it (INPUT-07). */
function Undo({
  progress,
  onRefused,
}: {
  progress: ImportProgress;
  onRefused: (refusal: ApiError | null) => void;
}) {
  const { id, kind, result } = progress;
  const [asks, setAsks] = useState(false);
  const undo = useUndoImport(id);
  const opener = useRef<HTMLButtonElement>(null);
  const [start, starting] = useOneAtATime(async () => {
    onRefused(null);
    try {
      await undo.mutateAsync();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_undoable') onRefused(error);
      else toasts.error(importTexts.callFailed, errorMessage(error));
    } finally {
      setAsks(false);
    }
  });
  return (
    <>
      <Button ref={opener} icon={Undo2} onClick={() => setAsks(true)}>
        {texts.undo}
      </Button>
      <ConfirmDialog
        open={asks}
        title={texts.undoTitle}
        text={texts.undoText(result ?? NOTHING_YET, KIND_NOUNS[kind])}
        confirmLabel={actions.undo}
        busyLabel={texts.undoStarting}
        busy={starting}
        tone="danger"
        onConfirm={() => void start()}
        onCancel={() => setAsks(false)}
        finalFocus={opener}
      />
    </>
  );
}

const TONES = { undone: 'info', done: 'success', cancelled: 'warning', failed: 'critical' } as const;

function Ended({ progress }: Pick<ResultStepProps, 'progress'>) {
  const { id, kind, state } = progress;
  const noun = KIND_NOUNS[kind];
  const result = progress.result ?? NOTHING_YET;
  const isOffered = useOffers();
  const isUndoable = useUndoable(progress);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  // The cast is safe: the server's answer with this code has them (contract/base/errors.ts).
  const hindrances = (refusal?.body.rows ?? []) as readonly ImportError[];
  const isUndone = state === 'undone';
  const end = state === 'done' || state === 'cancelled' || isUndone ? state : 'failed';
  return (
    <StepCard
      title={texts.ended[end]}
      footer={
        <>
          {isUndoable && <Undo progress={progress} onRefused={setRefusal} />}
          {isOffered(`${kind}.import`) && (
            <Link to={PATHS.imports} search={{ kind }} className={buttonClass('secondary')}>
              {importTexts.another}
            </Link>
          )}
          {/* If nothing was stored, the list filtered by this import would be empty. */}
          <Link
            to={PATHS[kind]}
            search={!isUndone && result.created + result.updated > 0 ? { import: id } : {}}
            className={buttonClass('primary')}
          >
            {texts.see[kind]}
          </Link>
        </>
      }
    >
      <Banner tone={TONES[end]} announce="status">
        {isUndone ? (
          <p className="font-medium">{texts.undone(result.rows_with_errors)}</p>
        ) : (
          <>
            <p className="font-medium">{texts.done(result, noun)}</p>
            {result.new_clients > 0 && <p>{texts.newClients(result.new_clients)}</p>}
            {end !== 'done' && end !== 'undone' && <p>{texts[end]}</p>}
            {result.rows_with_errors > 0 && <p>{texts.leftOut(result.rows_with_errors)}</p>}
          </>
        )}
      </Banner>
      <ImportedTwins progress={progress} />
      {!isUndone && <Figures figures={figuresOf(result, noun)} />}
      {refusal && (
        <Banner tone="critical" title={refusal.message} announce="alert">
          {hindrances.length > 0 && texts.undoRefusedHint}
        </Banner>
      )}
      {hindrances.length > 0 && (
        <ImportErrors
          {...{ id, kind }}
          errors={hindrances}
          total={hindrances.length}
          title={texts.undoRefused}
          canDownload={false}
        />
      )}
      {result.errors_total > 0 && (
        <ImportErrors
          {...{ id, kind }}
          errors={result.errors}
          total={result.errors_total}
          {...(isUndone && { title: texts.keptTitle })}
        />
      )}
      {isUndoable && progress.undo_until !== null && (
        <p className="text-xs text-muted">{texts.undoHint(formatDateTime(progress.undo_until))}</p>
      )}
    </StepCard>
  );
}
