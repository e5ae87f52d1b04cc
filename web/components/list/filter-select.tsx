import { Select } from '../../ui/select.tsx';
import { choicesOf } from '../record/choices.ts';

interface FilterSelectProps<Key extends string> {
  /** The accessible name: 'Filtrar por estado'. */
  label: string;
  /** The first option: no filter. */
  all: string;
  choices: Readonly<Record<Key, string>>;
  value: Key | undefined;
  onChange: (value: Key | undefined) => void;
}

/** A filter of a list, for a few values (D117). */
export function FilterSelect<Key extends string>({
  label,
  all,
  choices,
  value,
  onChange,
}: FilterSelectProps<Key>) {
  const keys = choicesOf(choices);
  return (
    <Select
      aria-label={label}
      width="auto"
      value={value ?? ''}
      onChange={({ target }) => onChange(keys.find((key) => key === target.value))}
      none={all}
      choices={keys.map((key) => [key, choices[key]])}
    />
  );
}
