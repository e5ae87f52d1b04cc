import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorText, Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** The props of a field for features or meters of a type or licence, which is edited as lines with codes. */
export interface CodeLinesFieldProps {
  label: string;
  help: string;
  /** The lines as one text, the form's value. */
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

interface CodeLinesProps<Line extends { code: string }, Faults extends { code?: string }>
  extends Omit<CodeLinesFieldProps, 'value' | 'onChange'> {
  lines: readonly Line[];
  onChange: (lines: readonly Line[]) => void;
  faultsOf: (lines: readonly Line[]) => Faults[];
  blank: Line;
  texts: {
    add: string;
    code: string;
    ofLine: (label: string, number: number) => string;
    remove: (code: string, number: number) => string;
  };
  /** The inputs of a line after its code. */
  children: (line: {
    line: Line;
    number: number;
    errors: Partial<Faults>;
    onChange: (part: Partial<Line>) => void;
  }) => ReactNode;
}

/** A list of lines with a code and further inputs each. Lines can be added and removed. */
export function CodeLines<Line extends { code: string }, Faults extends { code?: string }>({
  label,
  help,
  lines,
  onChange,
  error,
  faultsOf,
  blank,
  texts,
  children,
}: CodeLinesProps<Line, Faults>) {
  const group = useRef<HTMLFieldSetElement>(null);
  const errorId = useId();
  const helpId = useId();
  // Faults are shown from the first attempt to save. Editing one line does not hide the faults of other lines.
  const [isChecked, setChecked] = useState(false);
  if (error !== undefined && !isChecked) setChecked(true);
  const faults = isChecked ? faultsOf(lines) : [];

  /** Focuses the code input of a line after the line is rendered. */
  const focusLine = (index: number) =>
    requestAnimationFrame(() => {
      const codes = group.current?.querySelectorAll<HTMLInputElement>('[data-line-code]');
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
      {lines.map((line, index) => {
        const errors: Partial<Faults> = faults[index] ?? {};
        const change = (part: Partial<Line>) =>
          onChange(lines.map((other, at) => (at === index ? { ...other, ...part } : other)));
        return (
          <div
            // The index is the key, because lines have no id and their inputs are controlled.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            className="flex flex-wrap items-start gap-2"
          >
            <Field
              label={texts.ofLine(texts.code, index + 1)}
              labelHidden
              error={errors.code}
              className="min-w-40 flex-1"
            >
              <TextInput
                data-line-code
                value={line.code}
                // The cast is safe, because every type of line has a code.
                onChange={({ target }) => change({ code: target.value } as Partial<Line>)}
                placeholder={texts.code}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </Field>
            {children({ line, number: index + 1, errors, onChange: change })}
            <button
              type="button"
              aria-label={texts.remove(line.code.trim(), index + 1)}
              onClick={() => {
                onChange(lines.filter((_line, at) => at !== index));
                focusLine(index);
              }}
              className="inline-flex size-10 shrink-0 items-center justify-center rounded-lg text-muted hover:text-text pointer-coarse:size-11"
            >
              <X aria-hidden className="size-4" />
            </button>
          </div>
        );
      })}
      <Button
        size="sm"
        icon={Plus}
        onClick={() => {
          onChange([...lines, blank]);
          focusLine(lines.length);
        }}
      >
        {texts.add}
      </Button>
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
    </fieldset>
  );
}
