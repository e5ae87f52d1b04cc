import { useId } from 'react';
import { Select } from './select.tsx';

interface PageSizeSelectProps<Size extends number> {
  value: Size;
  /** The available sizes, in order. */
  sizes: readonly Size[];
  onChange: (size: Size) => void;
  label?: string;
}

/** The select for the number of rows on a page. */
export function PageSizeSelect<Size extends number>({
  value,
  sizes,
  onChange,
  label = 'Por página',
}: PageSizeSelectProps<Size>) {
  const id = useId();
  return (
    <div data-print="hidden" className="flex items-center gap-2">
      <label htmlFor={id} className="whitespace-nowrap text-muted">
        {label}
      </label>
      <Select
        id={id}
        width="auto"
        value={value}
        onChange={(event) => {
          const chosen = sizes.find((size) => size === Number(event.target.value));
          if (chosen !== undefined) onChange(chosen);
        }}
        choices={sizes.map((size) => [size, size])}
      />
    </div>
  );
}
