import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IMPORT_KINDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportProgress, ImportState } from '../../../contract/imports/imports.ts';
import { ApiError } from '../../api/api-error.ts';
import { RecordState } from '../../components/record/record-state.tsx';
import { useParam, useSearch } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { KIND_NOUNS, screens } from '../../text/es.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Steps } from '../../ui/steps.tsx';
import { toasts } from '../../ui/toasts.ts';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { importQuery } from './imports.api.ts';
import { type ImportsSearch, readImportsSearch } from './imports-search.ts';
import { importSteps, importTexts as texts } from './imports-texts.ts';
import { ResultStep } from './result-step.tsx';
import { ReviewStep } from './review-step.tsx';
import { StepFocus } from './step-card.tsx';

type Step = 0 | 1 | 2 | 3;

/** The step at which an import is. A checked import can go back to its columns. */
function stepOf(state: ImportState, { paso }: ImportsSearch): Step {
  if (state === 'uploaded') return 1;
  if (state === 'checked') return paso === 'columnas' ? 1 : 2;
  return state === 'checking' ? 2 : 3;
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404;

/** /imports, where a file is chosen, and /imports/{id}, where it is imported (IMPORT-03). */
export function ImportsPage() {
  const id = useParam('id');
  const search = useSearch(readImportsSearch);
  const asked = useQuery({ ...importQuery(Number(id)), enabled: id !== undefined });
  // The step shown first does not take the focus; later steps do.
  const moved = useRef(false);
  const progress = id === undefined || isGone(asked.error) ? undefined : asked.data;
  const kind = progress?.kind ?? search.kind;
  useStoppedCheck(progress?.state);
  const step = progress === undefined ? 0 : stepOf(progress.state, search);
  return (
    <div className="mx-auto max-w-4xl space-y-6">
      <PageHeader
        title={kind === undefined ? screens.imports : texts.title(KIND_NOUNS[kind])}
        subtitle={texts.subtitle}
        actions={
          kind && (
            <Link to={PATHS[kind]} className={buttonClass('secondary')}>
              {texts.back(kind)}
            </Link>
          )
        }
      />
      <Steps label={texts.steps} names={importSteps} current={step} doneWord={texts.stepDone} />
      <StepFocus value={moved}>
        {id !== undefined ? (
          isGone(asked.error) ? (
            <Gone kind={asked.data?.kind} />
          ) : (
            <RecordState query={asked} texts={texts.record}>
              {(shown) => (
                <OpenStep
                  key={id}
                  progress={shown}
                  step={stepOf(shown.state, search)}
                  isOffline={asked.isError}
                />
              )}
            </RecordState>
          )
        ) : search.kind === undefined ? (
          <Kinds />
        ) : (
          <FileStep key={search.kind} kind={search.kind} />
        )}
      </StepFocus>
    </div>
  );
}

/**
 * If a check ends without a result (stopped by this person or a colleague, or failed), the columns are shown with the
 * reason.
 */
function useStoppedCheck(state: ImportState | undefined): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'checking' && state === 'uploaded') toasts.info(texts.stopped, texts.stoppedHint);
    before.current = state;
  }, [state]);
}

function OpenStep({
  progress,
  step,
  isOffline,
}: {
  progress: ImportProgress;
  step: Step;
  /** True if the last query of the progress failed. */
  isOffline: boolean;
}) {
  if (step === 1) return <ColumnsStep progress={progress} />;
  return step === 2 ? (
    <ReviewStep progress={progress} />
  ) : (
    <ResultStep progress={progress} isOffline={isOffline} />
  );
}

/** Shown for an import that was deleted with its file after some days. */
const Gone = ({ kind }: { kind: ImportKind | undefined }) => (
  <Card>
    <EmptyState
      icon={SearchX}
      title={texts.record.notFound}
      hint={texts.record.notFoundHint}
      action={
        <Link to={PATHS.imports} search={{ kind }} className={buttonClass('primary')}>
          {texts.another}
        </Link>
      }
    />
  </Card>
);

/** Shown if the address has no kind, for example from the palette. */
const Kinds = () => (
  <Card title={texts.kinds}>
    <ul className="grid gap-2 sm:grid-cols-3">
      {IMPORT_KINDS.map((kind) => (
        <li key={kind}>
          <Link to={PATHS.imports} search={{ kind }} className={buttonClass('secondary', 'lg', 'w-full')}>
            {screens[kind]}
          </Link>
        </li>
      ))}
    </ul>
  </Card>
);
