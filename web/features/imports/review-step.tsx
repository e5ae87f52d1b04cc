import { useState } from 'react';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportCheck, ImportForecast, ImportProgress } from '../../../contract/imports/imports.ts';
import { mailSuggestion } from '../../../contract/reading/mail-suggestions.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useMailIsStored } from '../../api/email-transport.ts';
import { useOffers } from '../../api/offers.ts';
import { useSession } from '../../api/session.ts';
import { findDraft, forgetDraft, keepDraft } from '../../components/record/form-drafts.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { KIND_NOUNS } from '../../text/es.ts';
import { outboxTexts } from '../../text/es-outbox.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextButton } from '../../ui/text-button.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { columnOf, isClear } from './column-choices.ts';
import {
  CorrectCell,
  type Corrections,
  correctionOf,
  correctionsIn,
  withCorrection,
} from './correct-cell.tsx';
import { Figures } from './figures.tsx';
import { Findings } from './findings.tsx';
import { ImportErrors } from './import-errors.tsx';
import { ImportProgressBar } from './import-progress.tsx';
import { useCancelImport, useCheckImport, useRunImport } from './imports.api.ts';
import { columnTexts, findingTexts, importTexts, reviewTexts as texts } from './imports-texts.ts';
import { StepCard } from './step-card.tsx';

/** The corrections that were typed but not checked yet. They survive a reload and the end of the session. */
function useCorrections(id: number) {
  const userId = useSession((state) => state.user?.id);
  const form = `import-cells-${id}`;
  const [corrections, setCorrections] = useState<Corrections>(
    () => (findDraft(userId, form)?.typed.cells as Corrections | undefined) ?? {},
  );
  const change = (cells: Corrections) => {
    setCorrections(cells);
    if (correctionsIn(cells) === 0) forgetDraft();
    else if (userId !== undefined) keepDraft({ userId, form, base: null, typed: { cells } });
  };
  return [corrections, change] as const;
}

/** The cell of an error or a finding; an error does not have its text. */
type CellPlace = { row: number; field: string | null; text?: string };

/** One click puts in the mail address that was probably meant (INPUT-14). */
function MeantMail({ field, text, onUse }: Omit<CellPlace, 'row'> & { onUse: (text: string) => void }) {
  const isMail = field === 'email' || field === 'client';
  const meant = isMail && text !== undefined ? mailSuggestion(text) : null;
  return meant !== null && <TextButton onClick={() => onUse(meant)}>{findingTexts.use(meant)}</TextButton>;
}

/** Step 3, 'Revisión': what the import will do, before anything is stored. */
export function ReviewStep({ progress }: { progress: ImportProgress }) {
  const { id, kind, check } = progress;
  const noun = KIND_NOUNS[kind];
  const isStored = useMailIsStored();
  const [notify, setNotify] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [corrections, setCorrections] = useCorrections(id);
  const corrected = correctionsIn(corrections);
  const isOffered = useOffers();
  const runImport = useRunImport(id);
  const checkImport = useCheckImport();
  const cancel = useCancelImport(id);
  const navigate = useNavigate();
  const attempt = (work: () => Promise<unknown>) => async () => {
    setFailure(null);
    try {
      await work();
    } catch (error) {
      const said = error instanceof ApiError ? Object.values(error.fieldErrors).flat() : [];
      setFailure(said.length > 0 ? said.join(' ') : errorMessage(error));
    }
  };
  const [run, starting] = useOneAtATime(attempt(() => runImport.mutateAsync({ notify })));
  const [stop, stopping] = useOneAtATime(attempt(() => cancel.mutateAsync()));
  /** Checks again with the corrections and other choices. */
  const [checkAgain, checkingAgain] = useOneAtATime((changes: Partial<ImportCheck> = {}) =>
    attempt(async () => {
      const { mapping, mode, chosen } = progress;
      await checkImport.mutateAsync({
        ...{ id, mapping, mode: mode ?? 'create', ...chosen },
        ...changes,
        ...(corrected > 0 && { cells: corrections }),
      });
      setCorrections({});
    })(),
  );
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
  const correct = ({ row, field, text }: CellPlace) => {
    const column = columnOf(progress.mapping, field);
    if (column === undefined) return null;
    const correction = correctionOf(corrections, row, column);
    const onCorrect = (typed: string | undefined) =>
      setCorrections(withCorrection(corrections, row, column, typed));
    return (
      <div className="flex flex-wrap items-end gap-x-3">
        {correction === undefined && <MeantMail {...{ field, text }} onUse={onCorrect} />}
        <CorrectCell
          key={`${row} ${column}`}
          {...{ id, row, column, correction, onCorrect }}
          field={IMPORT_FIELDS[kind].find(({ name }) => name === field)?.label ?? column}
        />
      </div>
    );
  };
  const lacksClients =
    !progress.chosen.create_clients &&
    isOffered('clients.create') &&
    check.errors.some(({ field, code }) => field === 'client' && code === 'unknown_reference');
  const previous = count === 0 ? { to: PATHS.imports, search: { kind } } : null;
  return (
    <StepCard
      // A new key: when the check ends, the heading gets the focus as in a new step.
      key="checked"
      title={texts.title}
      subtitle={texts.subtitle}
      onSubmit={() => void (corrected > 0 ? checkAgain() : run())}
      footer={
        <>
          <Button
            onClick={() =>
              void navigate({ to: PATHS.import, params: { id: String(id) }, search: { paso: 'columnas' } })
            }
          >
            {importTexts.previous}
          </Button>
          {corrected > 0 ? (
            <Button type="submit" variant="primary" busy={checkingAgain} busyLabel={columnTexts.checking}>
              {texts.checkAgain(corrected)}
            </Button>
          ) : previous ? (
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
      {check.new_clients > 0 && <p>{texts.newClients(check.new_clients)}</p>}
      {lacksClients && (
        <Banner
          tone="info"
          action={
            <Button size="sm" busy={checkingAgain} onClick={() => void checkAgain({ create_clients: true })}>
              {texts.makeClients}
            </Button>
          }
        >
          {texts.unknownClients}
        </Banner>
      )}
      <Findings
        kind={kind}
        check={check}
        correct={correct}
        fixesPhones={progress.chosen.fix_phones}
        onFixPhones={(fix_phones) => void checkAgain({ fix_phones })}
        onOrder={(column, order) =>
          void checkAgain({ date_orders: { ...progress.chosen.date_orders, [column]: order } })
        }
      />
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
        <ImportErrors
          id={id}
          kind={kind}
          errors={check.errors}
          total={check.errors_total}
          correct={correct}
        />
      )}
      {failed}
    </StepCard>
  );
}

/** Explains the figures. */
function Verdict({ kind, check, count }: { kind: ImportKind; check: ImportForecast; count: number }) {
  if (check.rows_with_errors === 0) {
    return (
      <Banner tone={count === 0 ? 'info' : 'success'} announce="status">
        {count === 0 ? texts.nothingNew : texts.allGood}
      </Banner>
    );
  }
  return (
    <Banner
      tone="warning"
      announce="status"
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
