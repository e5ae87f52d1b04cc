import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import { filledFrom, missingFields, suggestMapping } from '../../../contract/imports/import-mapping.ts';
import {
  type Encoding,
  IMPORT_MESSAGES,
  type ImportCheck,
  type ImportProgress,
} from '../../../contract/imports/imports.ts';
import { ApiError, errorMessage } from '../../api/api-error.ts';
import { useOffers } from '../../api/offers.ts';
import { useSession } from '../../api/session.ts';
import { findDraft, forgetDraft, keepDraft } from '../../components/record/form-drafts.ts';
import { useNavigate } from '../../navigation/hooks.ts';
import { PATHS } from '../../paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts';
import { columnOf, fieldsForAll, fieldsTwice, samplesOf } from './column-choices.ts';
import { DateOrderSelect } from './date-order-select.tsx';
import { EncodingChoice } from './encoding-choice.tsx';
import { useCheckImport } from './imports.api.ts';
import { importTexts, columnTexts as texts } from './imports-texts.ts';
import { ModeChoices } from './mode-choices.tsx';
import { StepCard } from './step-card.tsx';
import { ValuesForAll } from './values-for-all.tsx';

type Choices = Required<
  Pick<ImportCheck, 'mapping' | 'mode' | 'date_orders' | 'values' | 'create_clients'>
> & {
  encoding: Encoding | null;
};

/** The choices that were made but not checked yet. They survive a reload and the end of the session. */
function useChoices(progress: ImportProgress) {
  const userId = useSession((state) => state.user?.id);
  const form = `import-${progress.id}`;
  const [choices, setChoices] = useState<Choices>(() => {
    const typed = findDraft(userId, form)?.typed as Partial<Choices> | undefined;
    const { mapping, mode, encoding, encodings, chosen } = progress;
    return {
      mapping,
      mode: mode ?? 'create',
      ...chosen,
      // Before the first check, the likeliest is offered.
      encoding: mode === null ? (encodings[0]?.encoding ?? encoding) : encoding,
      ...typed,
    };
  });
  const change = (changes: Partial<Choices>) => {
    const next = { ...choices, ...changes };
    setChoices(next);
    if (userId !== undefined) keepDraft({ userId, form, base: null, typed: { ...next } });
  };
  return [choices, change] as const;
}

/** The names and the first values of the columns, in the encoding that is chosen. */
function shownIn({ columns, sample, encodings }: ImportProgress, encoding: Encoding | null) {
  const read = encodings.find((one) => one.encoding === encoding);
  return columns.map((column, place) => ({
    column,
    name: read?.columns[place] ?? column,
    samples: samplesOf(read?.rows ?? sample, place),
  }));
}

/** Step 2, 'Columnas': how the file is read, which column fills which field, and what to do with the rows. */
export function ColumnsStep({ progress }: { progress: ImportProgress }) {
  const { id, kind, columns, encodings, rows, sheets, sheet, warnings } = progress;
  const [choices, change] = useChoices(progress);
  const { mapping, mode, date_orders, values, create_clients, encoding } = choices;
  const [failure, setFailure] = useState<string | null>(null);
  /** The number of refused attempts, so that screen readers announce each. */
  const [attempts, setAttempts] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const problem = useRef<HTMLDivElement>(null);
  const check = useCheckImport();
  const navigate = useNavigate();
  const isOffered = useOffers();

  const twice = fieldsTwice(kind, mapping);
  const forAll = fieldsForAll(kind, mapping, mode);
  // What was typed for a field that has a column now is not sent.
  const sent = Object.fromEntries(
    forAll.flatMap(({ name }) => (values[name]?.trim() ? [[name, values[name]]] : [])),
  );
  const missing = missingFields(kind, mapping, mode, sent);
  const known = columns.filter((column) => mapping[column]).length;
  const makesClients =
    kind === 'licenses' &&
    mode !== 'update' &&
    isOffered('clients.create') &&
    columnOf(mapping, 'client') !== undefined;

  useEffect(() => {
    if (attempts === 0) return;
    const wrong = list.current?.querySelector<HTMLElement>('[aria-invalid]');
    (wrong ?? problem.current)?.focus();
  }, [attempts]);

  const [submit, busy] = useOneAtATime(async () => {
    setFailure(null);
    if (twice.size > 0 || missing.length > 0) return setAttempts((count) => count + 1);
    try {
      await check.mutateAsync({
        ...{ id, mapping, mode, values: sent },
        // Of columns that are no days any more, the order is not sent.
        date_orders: Object.fromEntries(
          Object.entries(date_orders).filter(([column]) => fieldOf(kind, mapping[column])?.form === 'day'),
        ),
        create_clients: makesClients && create_clients,
        ...(encoding !== null && encodings.length > 0 && { encoding }),
      });
      forgetDraft();
      await navigate({ to: PATHS.import, params: { id: String(id) } });
    } catch (error) {
      const said = error instanceof ApiError ? Object.values(error.fieldErrors).flat() : [];
      setFailure(said.length > 0 ? said.join(' ') : errorMessage(error));
      setAttempts((count) => count + 1);
    }
  });
  const labels = missing.map(({ label }) => label).join(', ');

  return (
    <StepCard
      title={texts.title}
      subtitle={`${sheets.length > 1 && sheet !== null ? `${texts.sheet(sheet)} ` : ''}${texts.subtitle(rows, columns.length)}`}
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
      {encodings.length > 0 && encoding !== null && (
        <EncodingChoice
          encodings={encodings}
          value={encoding}
          onChange={(chosen) => {
            // A header whose letters were broken may name a field in this one.
            const { columns: names, rows: first } = encodings.find((one) => one.encoding === chosen)!;
            const found = suggestMapping(kind, names, first);
            const suggested = Object.fromEntries(
              columns.map((column, at) => [column, found[names[at] ?? ''] ?? null]),
            );
            change({ encoding: chosen, mapping: filledFrom(mapping, suggested) });
          }}
        />
      )}
      <p>{texts.recognised(known, columns.length)}</p>
      <ul ref={list} className="divide-y divide-border rounded-lg border border-border">
        {shownIn(progress, encoding).map(({ column, name, samples }) => (
          <ColumnRow
            // Reset when another file is shown at the same place.
            key={column}
            kind={kind}
            name={name}
            samples={samples}
            value={mapping[column] ?? null}
            error={twice.get(column) && IMPORT_MESSAGES.fieldTwice(twice.get(column)?.label ?? '')}
            onChange={(field) => change({ mapping: { ...mapping, [column]: field } })}
          >
            {fieldOf(kind, mapping[column])?.form === 'day' && (
              <DateOrderSelect
                column={column}
                check={progress.check}
                value={date_orders[column]}
                onChange={(order) => {
                  const { [column]: _before, ...others } = date_orders;
                  change({ date_orders: order === undefined ? others : { ...others, [column]: order } });
                }}
              />
            )}
          </ColumnRow>
        ))}
      </ul>
      {forAll.length > 0 && (
        <ValuesForAll fields={forAll} values={values} onChange={(typed) => change({ values: typed })} />
      )}
      {makesClients && (
        <Checkbox
          label={texts.newClients}
          help={`${texts.newClientsHint}${progress.check && progress.check.new_clients > 0 ? ` ${texts.newClientsCount(progress.check.new_clients)}` : ''}`}
          checked={create_clients}
          onChange={({ target }) => change({ create_clients: target.checked })}
        />
      )}
      {(missing.length > 0 || failure !== null) && (
        <div ref={problem} tabIndex={-1} className="space-y-3">
          {missing.length > 0 && (
            <Banner
              key={attempts}
              tone={attempts > 0 ? 'critical' : 'warning'}
              announce={attempts > 0 ? 'alert' : 'none'}
            >
              {mode === 'update' ? texts.missingKey(labels) : texts.missing(labels, missing.length > 1)}
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

const fieldOf = (kind: ImportKind, name: string | null | undefined) =>
  IMPORT_FIELDS[kind].find((field) => field.name === name);

interface ColumnRowProps {
  kind: ImportKind;
  name: string;
  samples: readonly string[];
  value: string | null;
  error: string | undefined;
  onChange: (field: string | null) => void;
  /** How its cells are read, where that can be chosen. */
  children: ReactNode;
}

/** A column of the file with some of its values, and the select of the field that it fills. */
function ColumnRow({ kind, name: column, samples, value, error, onChange, children }: ColumnRowProps) {
  const fields = IMPORT_FIELDS[kind];
  return (
    <li className="grid items-start gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-2">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{column}</p>
        <p className="truncate text-xs text-muted">
          {samples.length === 0 ? texts.noData : samples.join(' · ')}
        </p>
      </div>
      <div className="space-y-2">
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
        {children}
      </div>
    </li>
  );
}
