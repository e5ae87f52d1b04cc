import { useId } from 'react';
import { ErrorText } from '../ui/field.tsx';

interface ChoicesProps<Choice extends string> {
  /** The question; it names the group. */
  label: string;
  choices: Record<Choice, string>;
  /** Null until one is chosen. */
  value: Choice | null;
  onChange: (value: Choice) => void;
  error?: string | undefined;
}

/** A few answers, each a line that a thumb hits. The arrow keys move between them. */
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
