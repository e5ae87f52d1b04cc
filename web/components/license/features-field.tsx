import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { FEATURE_TEXT_MAX } from '../../../contract/base/limits.ts';
import { yesNo } from '../../text/es.ts';
import { featureTexts as texts } from '../../text/es-features.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorText, Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { NumberInput, TextInput } from '../../ui/text-input.tsx';
import {
  FEATURE_KINDS,
  type FeatureKind,
  type FeatureLine,
  type LineErrors,
  lineErrors,
  readLines,
  writeLines,
} from './feature-lines.ts';

interface FeaturesFieldProps {
  label: string;
  help: string;
  /** The lines as the form holds them (feature-lines.ts). */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** The features of a type or licence: a line for each, with its code, its kind and its value (PROG-04). */
export function FeaturesField({ label, help, value, onChange, error }: FeaturesFieldProps) {
  const lines = readLines(value);
  const group = useRef<HTMLFieldSetElement>(null);
  const errorId = useId();
  const helpId = useId();
  // Faults are shown from the first try to save on; editing one line leaves those of the others.
  const [isChecked, setChecked] = useState(false);
  if (error !== undefined && !isChecked) setChecked(true);
  const faults = isChecked ? lineErrors(lines) : [];

  const change = (index: number, part: Partial<FeatureLine>) =>
    onChange(writeLines(lines.map((line, at) => (at === index ? { ...line, ...part } : line))));

  /** Focuses the code of a line, once it is drawn. */
  const focusLine = (index: number) =>
    requestAnimationFrame(() => {
      const codes = group.current?.querySelectorAll<HTMLInputElement>('[data-feature-code]');
      const target = codes?.[Math.min(index, codes.length - 1)];
      (target ?? group.current?.querySelector('button'))?.focus();
    });

  return (
    <fieldset
      ref={group}
      className="min-w-0 space-y-3 sm:col-span-2"
      aria-describedby={[error && errorId, helpId].filter(Boolean).join(' ')}
    >
      <legend className="text-sm font-medium text-text">{label}</legend>
      <p id={helpId} className="text-xs text-muted">
        {help}
      </p>
      {lines.map((line, index) => (
        <Line
          // Lines have no name; their inputs are controlled.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={index}
          line={line}
          number={index + 1}
          errors={faults[index] ?? {}}
          onChange={(part) => change(index, part)}
          onRemove={() => {
            onChange(writeLines(lines.filter((_line, at) => at !== index)));
            focusLine(index);
          }}
        />
      ))}
      <Button
        size="sm"
        icon={Plus}
        onClick={() => {
          onChange(writeLines([...lines, { code: '', kind: 'boolean', value: 'true' }]));
          focusLine(lines.length);
        }}
      >
        {texts.add}
      </Button>
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
    </fieldset>
  );
}

interface LineProps {
  line: FeatureLine;
  number: number;
  errors: LineErrors;
  onChange: (part: Partial<FeatureLine>) => void;
  onRemove: () => void;
}

/** The value that a line has after its kind was changed. */
const FIRST_VALUES: Record<FeatureKind, string> = { boolean: 'true', integer: '', text: '' };

function Line({ line, number, errors, onChange, onRemove }: LineProps) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Field
        label={texts.ofLine(texts.code, number)}
        labelHidden
        error={errors.code}
        className="min-w-40 flex-1"
      >
        <TextInput
          data-feature-code
          value={line.code}
          onChange={({ target }) => onChange({ code: target.value })}
          placeholder={texts.code}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field label={texts.ofLine(texts.kind, number)} labelHidden>
        <Select
          width="auto"
          value={line.kind}
          onChange={({ target }) => {
            // The options are exactly the kinds.
            const kind = target.value as FeatureKind;
            onChange({ kind, value: FIRST_VALUES[kind] });
          }}
          choices={FEATURE_KINDS.map((kind) => [kind, texts.kinds[kind]])}
        />
      </Field>
      <Field
        label={texts.ofLine(texts.value, number)}
        labelHidden
        error={errors.value}
        className="min-w-32 flex-1"
      >
        <ValueInput line={line} onChange={(value) => onChange({ value })} />
      </Field>
      <button
        type="button"
        aria-label={texts.remove(line.code.trim(), number)}
        onClick={onRemove}
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-lg text-muted hover:text-text pointer-coarse:size-11"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

function ValueInput({ line, onChange }: { line: FeatureLine; onChange: (value: string) => void }) {
  if (line.kind === 'boolean') {
    return (
      <Select
        value={line.value}
        onChange={({ target }) => onChange(target.value)}
        choices={[true, false].map((value) => [String(value), yesNo(value)])}
      />
    );
  }
  const common = {
    value: line.value,
    placeholder: texts.value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  if (line.kind === 'integer') return <NumberInput {...common} step="1" inputMode="numeric" />;
  return <TextInput {...common} maxLength={FEATURE_TEXT_MAX} autoComplete="off" />;
}
