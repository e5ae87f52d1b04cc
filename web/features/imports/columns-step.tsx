import { useEffect, useRef, useState } from 'react';
import { IMPORT_FIELDS } from '../../../contract/imports/import-fields.ts';
import { type ImportMapping, missingFields } from '../../../contract/imports/import-mapping.ts';
import { IMPORT_MESSAGES, type ImportMode, type ImportProgress } from '../../../contract/imports/imports.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { findDraft, forgetDraft, keepDraft } from '../../components/record/form-drafts.ts';
import { useOneAtATime } from '../../components/record/use-one-at-a-time.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { fieldsTwice, samplesOf } from './column-choices.ts';
import { useCheckImport } from './imports.api.ts';
import { importTexts, columnTexts as texts } from './imports-texts.ts';
import { ModeChoices } from './mode-choices.tsx';
import { StepCard } from './step-card.tsx';

interface Choices {
  mapping: ImportMapping;
  mode: ImportMode;
}

/** The choices that were made but not checked yet. They survive a reload and the end of the session. */
function useChoices(progress: ImportProgress) {
  const userId = useSession((state) => state.user?.id);
  const form = `import-${progress.id}`;
  const [choices, setChoices] = useState<Choices>(() => {
    const typed = findDraft(userId, form)?.typed as Partial<Choices> | undefined;
    return { mapping: typed?.mapping ?? progress.mapping, mode: typed?.mode ?? progress.mode ?? 'create' };
  });
  const change = (changes: Partial<Choices>) => {
    const next = { ...choices, ...changes };
    setChoices(next);
    if (userId !== undefined) keepDraft({ userId, form, base: null, typed: { ...next } });
  };
  return [choices, change] as const;
}

/** Step 2, 'Columnas': which column fills which field, and what to do with the rows. */
export function ColumnsStep({ progress }: { progress: ImportProgress }) {
  const { id, kind, columns, sample, rows, warnings } = progress;
  const [{ mapping, mode }, change] = useChoices(progress);
  const [failure, setFailure] = useState<string | null>(null);
  /** The number of refused attempts, so that screen readers announce each. */
  const [attempts, setAttempts] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const problem = useRef<HTMLDivElement>(null);
  const check = useCheckImport();
  const navigate = useNavigate();

  const twice = fieldsTwice(kind, mapping);
  const missing = missingFields(kind, mapping, mode);
  const known = columns.filter((column) => mapping[column]).length;

  useEffect(() => {
    if (attempts === 0) return;
    const wrong = list.current?.querySelector<HTMLElement>('[aria-invalid]');
    (wrong ?? problem.current)?.focus();
  }, [attempts]);

  const [submit, busy] = useOneAtATime(async () => {
    setFailure(null);
    if (twice.size > 0 || missing.length > 0) return setAttempts((count) => count + 1);
    try {
      await check.mutateAsync({ id, mapping, mode });
      forgetDraft();
      await navigate({ to: PATHS.import, params: { id: String(id) } });
    } catch (error) {
      const said = error instanceof ApiError ? Object.values(error.fieldErrors).flat() : [];
      setFailure(said.length > 0 ? said.join(' ') : errorMessage(error));
      setAttempts((count) => count + 1);
    }
  });

  return (
    <StepCard
      title={texts.title}
      subtitle={texts.subtitle(rows, columns.length)}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={() => void navigate({ to: PATHS.imports, search: { kind } })}>
            {importTexts.previous}
          </Button>
          <Button type="submit" variant="primary" busy={busy} busyLabel={texts.checking}>
            {texts.check}
          </Button>
        </>
      }
    >
      {warnings.length > 0 && (
        <Banner tone="warning" title={texts.warnings}>
          <ul className="list-disc space-y-1 pl-5">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Banner>
      )}
      <ModeChoices kind={kind} value={mode} onChange={(chosen) => change({ mode: chosen })} />
      <p>{texts.recognised(known, columns.length)}</p>
      <ul ref={list} className="divide-y divide-border rounded-lg border border-border">
        {columns.map((column, place) => (
          <ColumnRow
            // Reset when another file is shown at the same place.
            key={column}
            progress={progress}
            column={column}
            samples={samplesOf(sample, place)}
            value={mapping[column] ?? null}
            error={twice.get(column) && IMPORT_MESSAGES.fieldTwice(twice.get(column)?.label ?? '')}
            onChange={(field) => change({ mapping: { ...mapping, [column]: field } })}
          />
        ))}
      </ul>
      {(missing.length > 0 || failure !== null) && (
        <div ref={problem} tabIndex={-1} className="space-y-3">
          {missing.length > 0 && (
            <Banner
              key={attempts}
              tone={attempts > 0 ? 'critical' : 'warning'}
              announce={attempts > 0 ? 'alert' : 'none'}
            >
              {texts.missing(missing.map(({ label }) => label).join(', '), missing.length > 1)}
            </Banner>
          )}
          {failure !== null && (
            <Banner tone="critical" title={importTexts.callFailed} announce="alert">
              {failure}
            </Banner>
          )}
        </div>
      )}
      {mode !== 'create' && <p className="text-xs text-muted">{texts.cells}</p>}
    </StepCard>
  );
}

interface ColumnRowProps {
  progress: ImportProgress;
  column: string;
  samples: readonly string[];
  value: string | null;
  error: string | undefined;
  onChange: (field: string | null) => void;
}

/** A column of the file with some of its values, and the select of the field that it fills. */
function ColumnRow({ progress: { kind }, column, samples, value, error, onChange }: ColumnRowProps) {
  const fields = IMPORT_FIELDS[kind];
  return (
    <li className="grid items-start gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-2">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{column}</p>
        <p className="truncate text-xs text-muted">
          {samples.length === 0 ? texts.noData : samples.join(' · ')}
        </p>
      </div>
      <Field
        label={texts.fieldOf(column)}
        labelHidden
        error={error}
        help={fields.find(({ name }) => name === value)?.hint}
      >
        <Select
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value || null)}
          none={texts.leaveOut}
          choices={fields.map(({ name, label, required }) => [
            name,
            required ? texts.required(label) : label,
          ])}
        />
      </Field>
    </li>
  );
}
