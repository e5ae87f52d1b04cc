import { useState } from 'react';
import type { ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportForecast, ImportProgress } from '../../../contract/imports/imports.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { KIND_NOUNS } from '../../text/es.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { isClear } from './column-choices.ts';
import { Figures } from './figures.tsx';
import { ImportErrors } from './import-errors.tsx';
import { ImportProgressBar } from './import-progress.tsx';
import { useCancelImport, useRunImport } from './imports.api.ts';
import { importTexts, reviewTexts as texts } from './imports-texts.ts';
import { StepCard } from './step-card.tsx';

/** Step 3, 'Revisión': what the import will do, before anything is stored. */
export function ReviewStep({ progress }: { progress: ImportProgress }) {
  const { id, kind, check } = progress;
  const noun = KIND_NOUNS[kind];
  const isStored = useMailIsStored();
  const [notify, setNotify] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const runImport = useRunImport(id);
  const cancel = useCancelImport(id);
  const navigate = useNavigate();
  const attempt = (work: () => Promise<unknown>) => async () => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(errorMessage(error));
    }
  };
  const [run, starting] = useOneAtATime(attempt(() => runImport.mutateAsync({ notify })));
  const [stop, stopping] = useOneAtATime(attempt(() => cancel.mutateAsync()));
  const isChecking = progress.state === 'checking' || check === null;
  const count = isChecking ? 0 : check.to_create + check.to_update;
  const failed = failure !== null && (
    <Banner tone="critical" title={importTexts.callFailed} announce="alert">
      {failure}
    </Banner>
  );

  if (isChecking) {
    return (
      <StepCard
        key="checking"
        title={texts.title}
        subtitle={texts.subtitle}
        footer={
          <Button busy={stopping} onClick={() => void stop()}>
            {texts.cancelCheck}
          </Button>
        }
      >
        <p className="font-medium">{texts.checking}</p>
        <ImportProgressBar label={texts.checking} done={progress.done} total={progress.total} />
        {failed}
      </StepCard>
    );
  }
  const previous = count === 0 ? { to: PATHS.imports, search: { kind } } : null;
  return (
    <StepCard
      // A new key: when the check ends, the heading gets the focus as in a new step.
      key="checked"
      title={texts.title}
      subtitle={texts.subtitle}
      onSubmit={() => void run()}
      footer={
        <>
          <Button
            onClick={() =>
              void navigate({ to: PATHS.import, params: { id: String(id) }, search: { paso: 'columnas' } })
            }
          >
            {importTexts.previous}
          </Button>
          {previous ? (
            <Button variant="primary" onClick={() => void navigate(previous)}>
              {texts.other}
            </Button>
          ) : (
            <Button type="submit" variant="primary" busy={starting} busyLabel={texts.starting}>
              {texts.run(count, noun)}
            </Button>
          )}
        </>
      }
    >
      <Figures
        figures={[
          { label: texts.figures.create, value: check.to_create },
          { label: texts.figures.update, value: check.to_update },
          { label: texts.figures.unchanged, value: check.unchanged },
          { label: texts.figures.errors, value: check.rows_with_errors, isWrong: true },
        ]}
      />
      <Verdict kind={kind} check={check} count={count} />
      {progress.mode === 'create' && isClear(kind, progress) && (
        <p className="text-muted">{texts.columnsKnown(progress.columns.length)}</p>
      )}
      {kind === 'licenses' && check.to_create > 0 && (
        <Checkbox
          label={texts.notify}
          help={`${texts.notifyHelp(check.to_create)}${isStored ? ` ${outboxTexts.willStoreMany}` : ''}`}
          checked={notify}
          onChange={({ target }) => setNotify(target.checked)}
        />
      )}
      {check.errors_total > 0 && (
        <ImportErrors id={id} kind={kind} errors={check.errors} total={check.errors_total} />
      )}
      {failed}
    </StepCard>
  );
}

/** Explains the figures. A corrected file must be uploaded as a new import. */
function Verdict({ kind, check, count }: { kind: ImportKind; check: ImportForecast; count: number }) {
  if (check.rows_with_errors === 0) {
    return (
      <Banner tone={count === 0 ? 'info' : 'success'}>
        {count === 0 ? texts.nothingNew : texts.allGood}
      </Banner>
    );
  }
  return (
    <Banner
      tone="warning"
      action={
        count > 0 && (
          <Link to={PATHS.imports} search={{ kind }} className={buttonClass('secondary', 'sm')}>
            {texts.other}
          </Link>
        )
      }
    >
      {count === 0 ? texts.nothing : texts.someWrong(check.rows_with_errors)}
    </Banner>
  );
}
