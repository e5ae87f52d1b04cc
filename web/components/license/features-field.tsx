import { FEATURE_TEXT_MAX } from '../../../contract/base/limits.ts';
import { yesNo } from '../../text/es.ts';
import { featureTexts as texts } from '../../text/es-sales-options.ts';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { CodeLines, type CodeLinesFieldProps } from './code-lines.tsx';
import {
  FEATURE_KINDS,
  type FeatureKind,
  type FeatureLine,
  lineErrors,
  readLines,
  writeLines,
} from './feature-lines.ts';

const BLANK: FeatureLine = { code: '', kind: 'boolean', value: 'true' };

/** The value of a line after its kind was changed. */
const FIRST_VALUES: Record<FeatureKind, string> = { boolean: 'true', integer: '', text: '' };

/** The features of a type or licence: one line for each, with code, kind and value (PROG-04). */
export const FeaturesField = ({ value, onChange, ...field }: CodeLinesFieldProps) => (
  <CodeLines
    {...field}
    lines={readLines(value)}
    onChange={(lines) => onChange(writeLines(lines))}
    faultsOf={lineErrors}
    blank={BLANK}
    texts={texts}
  >
    {({ line, number, errors, onChange: change }) => (
      <>
        <Field label={texts.ofLine(texts.kind, number)} labelHidden>
          <Select
            width="auto"
            value={line.kind}
            onChange={({ target }) => {
              // The cast is safe: the options of the select are exactly the kinds.
              const kind = target.value as FeatureKind;
              change({ kind, value: FIRST_VALUES[kind] });
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
          <ValueInput line={line} onChange={(typed) => change({ value: typed })} />
        </Field>
      </>
    )}
  </CodeLines>
);

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
  if (line.kind === 'integer') return <NumberInput {...common} unit="count" />;
  return <TextInput {...common} maxLength={FEATURE_TEXT_MAX} autoComplete="off" />;
}
