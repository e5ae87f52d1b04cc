import { useId } from 'react';
import { ErrorText } from './field.tsx';

interface RadioChoicesProps<Choice extends string> {
  /** The question, which is the accessible name of the group. */
  label: string;
  /** Each answer with its label, text and value. */
  choices: readonly { value: Choice; label: string; text: string }[];
  /** Null until an answer is chosen. */
  value: Choice | null;
  onChange: (value: Choice) => void;
  error?: string | undefined;
}

/** A radio group with few options. The arrow keys move between them. */
export function RadioChoices<Choice extends string>({
  label,
  choices,
  value,
  onChange,
  error,
}: RadioChoicesProps<Choice>) {
  const id = useId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={error ? `${id}-error` : undefined}
      aria-invalid={error ? true : undefined}
    >
      <p id={`${id}-label`} className="font-medium">
        {label}
      </p>
      {choices.map((choice) => (
        <label key={choice.value} className="flex items-start gap-2.5 py-1 pointer-coarse:py-2.5">
          <input
            type="radio"
            name={id}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="mt-0.5 size-4 shrink-0 accent-brand"
          />
          <span className="min-w-0">
            {`${choice.label}: `}
            <span className="font-medium whitespace-pre-wrap wrap-anywhere">{choice.text}</span>
          </span>
        </label>
      ))}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
    </div>
  );
}
