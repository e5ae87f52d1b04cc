import { Search, X } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import { CONTROL_CLASS, CONTROL_HEIGHT } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'ref'> {
  /** The accessible name; usually the placeholder without its dots. */
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** A search box. It reports every change; the caller debounces (300 ms, D058). */
export function SearchInput({ label, value, onChange, className, ...props }: SearchInputProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange('');
    inputRef.current?.focus();
  };
  return (
    <span className={cx('relative block min-w-0', CONTROL_HEIGHT, className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <input
        aria-label={label}
        {...props}
        {...useFieldControl(props)}
        ref={inputRef}
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden')}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Limpiar búsqueda"
          onClick={clear}
          className="absolute top-1/2 right-1.5 flex size-6 -translate-y-1/2 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:right-0 pointer-coarse:size-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </span>
  );
}
