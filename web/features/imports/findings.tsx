import type { ReactNode } from 'react';
import { IMPORT_FIELDS, type ImportKind } from '../../../contract/imports/import-fields.ts';
import type { ImportFinding, ImportForecast } from '../../../contract/imports/imports.ts';
import { LICENSE_CATEGORY_LABELS } from '../../../contract/licenses/license-words.ts';
import type { ChosenOrder } from '../../../contract/reading/days.ts';
import { formatNumber } from '../../text/format.ts';
import { TextButton } from '../../ui/text-button.tsx';
import { orderInWords } from './date-order-select.tsx';
import { errorTexts, findingTexts as texts } from './imports-texts.ts';

type Sample = ImportFinding['samples'][number];

interface FindingsProps {
  kind: ImportKind;
  check: ImportForecast;
  /** Reads a column of days in another order, and checks again. */
  onOrder: (column: string, order: ChosenOrder) => void;
  /** Whether phones are stored as they were meant (INPUT-02). */
  fixesPhones: boolean;
  onFixPhones: (fix: boolean) => void;
  /** The correction of a doubtful cell. */
  correct: (sample: Sample) => ReactNode;
}

/** What a check noticed in cells that it could read: read in one of two ways, repaired, doubtful, missing. */
export function Findings({ kind, check, onOrder, fixesPhones, onFixPhones, correct }: FindingsProps) {
  const labelOf = (name: string) => IMPORT_FIELDS[kind].find((field) => field.name === name)?.label ?? name;
  const { grouped, suspicious, duplicates, email, fixed, missing } = check;
  const found = [
    { sentence: texts.suspicious, finding: suspicious, mends: true },
    { sentence: texts.email, finding: email, mends: true },
    { sentence: (count: number) => texts.duplicates(count, kind), finding: duplicates },
    ...Object.entries(missing).map(([field, finding]) => ({
      // Without a value the field stays empty; with one, each row gets the same.
      sentence: (count: number) => {
        const [first] = finding.samples;
        const stored = first?.value ?? null;
        return stored !== null && finding.samples.every(({ value }) => value === stored)
          ? texts.missingStored(count, labelOf(field), shownValue(field, stored))
          : texts.missing(count, labelOf(field));
      },
      finding,
    })),
    ...Object.entries(fixed).map(([field, finding]) => ({
      sentence: (count: number) => texts.fixed(count, labelOf(field)),
      finding,
    })),
    { sentence: texts.grouped, finding: grouped },
  ].filter(({ finding }) => finding.count > 0);
  const ordered = Object.keys(check.date_orders);
  const hasPhones = !fixesPhones || 'phone' in fixed || 'phone_secondary' in fixed;
  if (found.length + ordered.length + check.date_orders_mixed.length === 0 && fixesPhones) return null;
  return (
    <section aria-label={texts.title} className="space-y-3">
      <h3 className="font-semibold">{texts.title}</h3>
      <ul className="divide-y divide-border rounded-lg border border-border">
        {check.date_orders_mixed.map((column) => (
          <li key={column} className="space-y-1 px-4 py-3">
            <p className="text-critical-text">{texts.mixed(column)}</p>
            <p className="flex flex-wrap gap-x-4">
              {(['dmy', 'mdy'] as const).map((order) => (
                <OrderButton
                  key={order}
                  column={column}
                  label={texts.bothOrders[order]}
                  onClick={() => onOrder(column, order)}
                />
              ))}
            </p>
          </li>
        ))}
        {found.map(({ sentence, finding, mends }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew with each check
          <li key={place} className="px-4 py-3">
            <p>{sentence(finding.count)}</p>
            <Samples samples={finding.samples} labelOf={labelOf} correct={mends ? correct : undefined} />
          </li>
        ))}
        {hasPhones && (
          <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-3">
            <p>{fixesPhones ? texts.phonesFixed : texts.phonesKept}</p>
            <TextButton onClick={() => onFixPhones(!fixesPhones)}>
              {fixesPhones ? texts.keepPhones : texts.fixPhones}
            </TextButton>
          </li>
        )}
        {ordered.map((column) => {
          const order = check.date_orders[column];
          return (
            <li
              key={column}
              className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-4 py-3"
            >
              <p>{orderInWords(check, column)}</p>
              {(order === 'dmy' || order === 'mdy') && (
                <OrderButton
                  column={column}
                  label={texts.otherOrder[order]}
                  onClick={() => onOrder(column, order === 'dmy' ? 'mdy' : 'dmy')}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A stored value as screens say it. */
const shownValue = (field: string, value: string): string =>
  (field === 'license_type' && LICENSE_CATEGORY_LABELS[value as keyof typeof LICENSE_CATEGORY_LABELS]) ||
  value;

const OrderButton = ({ column, label, onClick }: { column: string; label: string; onClick: () => void }) => (
  <TextButton aria-label={`${label}: ${column}`} onClick={onClick}>
    {label}
  </TextButton>
);

interface SamplesProps {
  samples: readonly Sample[];
  labelOf: (field: string) => string;
  correct: ((sample: Sample) => ReactNode) | undefined;
}

/** The first cells of a finding: the place, what the file has, and what is stored of it. */
const Samples = ({ samples, labelOf, correct }: SamplesProps) => (
  // Doubtful cells are shown at once, because a person can mend them here.
  <details open={correct !== undefined} className="mt-1">
    <summary className="min-h-6 cursor-pointer text-xs text-muted select-none pointer-coarse:min-h-11">
      {texts.samples(samples.length)}
    </summary>
    <ul className="mt-1 space-y-2">
      {samples.map((sample) => {
        const { row, field, text, value } = sample;
        return (
          <li key={`${row} ${field}`}>
            <p className="text-xs text-muted">{errorTexts.place(formatNumber(row), labelOf(field))}</p>
            <p className="wrap-anywhere">
              <span className="sr-only">{texts.cell}: </span>
              <span className={text === '' ? 'text-muted' : undefined}>
                {text === '' ? texts.blank : text}
              </span>
              {value !== text && (
                <>
                  <span aria-hidden> → </span>
                  <span className="sr-only">{texts.stored}: </span>
                  <span className={value === null ? 'text-muted' : 'font-medium'}>
                    {value ?? texts.nothing}
                  </span>
                </>
              )}
            </p>
            {correct?.(sample)}
          </li>
        );
      })}
    </ul>
  </details>
);
