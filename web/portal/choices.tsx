import { useId } from 'react';
import { ErrorText } from '../ui/field.tsx';

interface ChoicesProps<Choice extends string> {
  /** The question, which is also the accessible name of the group. */
  label: string;
  choices: Record<Choice, string>;
  /** Null until an answer is chosen. */
  value: Choice | null;
  onChange: (value: Choice) => void;
  error?: string | undefined;
}

/** A few answers to choose from, each a line large enough for touch. The arrow keys move between them. */
export function Choices<Choice extends string>({
  label,
  choices,
  value,
  onChange,
  error,
}: ChoicesProps<Choice>) {
  const id = useId();
  const entries = Object.entries(choices) as [Choice, string][];
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} aria-invalid={error ? true : undefined}>
      <legend className="text-sm font-medium">{label}</legend>
      {entries.map(([choice, text]) => (
        <label key={choice} className="flex min-h-11 items-center gap-3 text-base">
          <input
            type="radio"
            name={id}
            checked={choice === value}
            onChange={() => onChange(choice)}
            className="size-5 shrink-0 accent-brand"
          />
          {text}
        </label>
      ))}
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
    </fieldset>
  );
}
