import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ImportProgress, type ImportResult, isImportBusy } from '../../../contract/imports/imports.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useOffers } from '../../api/offers.ts';
import { refreshAfterChange } from '../../api/query-keys.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { KIND_NOUNS } from '../../text/es.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.ts';
import { Figures } from './figures.tsx';
import { ImportErrors } from './import-errors.tsx';
import { ImportProgressBar } from './import-progress.tsx';
import { useCancelImport } from './imports.api.ts';
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
  return busy ? <Running progress={progress} isOffline={isOffline} /> : <Ended progress={progress} />;
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

const TONES = { done: 'success', cancelled: 'warning', failed: 'critical' } as const;

function Ended({ progress }: Pick<ResultStepProps, 'progress'>) {
  const { id, kind, state } = progress;
  const noun = KIND_NOUNS[kind];
  const result = progress.result ?? NOTHING_YET;
  const isOffered = useOffers();
  const end = state === 'done' || state === 'cancelled' ? state : 'failed';
  return (
    <StepCard
      title={texts.ended[end]}
      footer={
        <>
          {isOffered(`${kind}.import`) && (
            <Link to={PATHS.imports} search={{ kind }} className={buttonClass('secondary')}>
              {importTexts.another}
            </Link>
          )}
          {/* If nothing was stored, the list filtered by this import would be empty. */}
          <Link
            to={PATHS[kind]}
            search={result.created + result.updated > 0 ? { import: id } : {}}
            className={buttonClass('primary')}
          >
            {texts.see[kind]}
          </Link>
        </>
      }
    >
      <Banner tone={TONES[end]} announce="status">
        <p className="font-medium">{texts.done(result, noun)}</p>
        {end !== 'done' && <p>{texts[end]}</p>}
        {result.rows_with_errors > 0 && <p>{texts.leftOut(result.rows_with_errors)}</p>}
      </Banner>
      <Figures figures={figuresOf(result, noun)} />
      {result.errors_total > 0 && (
        <ImportErrors id={id} kind={kind} errors={result.errors} total={result.errors_total} />
      )}
    </StepCard>
  );
}
