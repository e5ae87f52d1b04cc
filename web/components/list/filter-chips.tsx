import { X } from 'lucide-react';
import { filters } from '../../text/es.ts';
import { filterTexts } from '../../text/es-lists.ts';
import { Button } from '../../ui/button.tsx';

export interface Chip {
  /** The parameter in the address. */
  key: string;
  /** 'Estado' */
  name: string;
  /** 'Activa'; empty for a filter that is just on or off. */
  value: string;
}

interface FilterChipsProps {
  chips: readonly Chip[];
  onRemove: (key: string) => void;
  /** Null if the list is empty, because its empty state already has this button. */
  onClear: (() => void) | null;
}

/** The active filters, each with a button that removes it, and a button that removes all (LIST-02). */
export function FilterChips({ chips, onRemove, onClear }: FilterChipsProps) {
  if (chips.length === 0) return null;
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <ul aria-label={filterTexts.active} className="contents">
        {chips.map(({ key, name, value }) => (
          <li
            key={key}
            className="inline-flex min-h-8 max-w-full items-center gap-1 rounded-full border border-border bg-sunken py-0.5 pr-1 pl-3 text-xs"
          >
            <span className="min-w-0 wrap-anywhere">
              {value === '' ? (
                name
              ) : (
                <>
                  <span className="text-muted">{`${name}: `}</span>
                  {value}
                </>
              )}
            </span>
            <button
              type="button"
              aria-label={filterTexts.remove(name)}
              onClick={() => onRemove(key)}
              className="inline-flex size-6 shrink-0 items-center justify-center rounded-full text-muted transition-colors hover:bg-surface hover:text-text pointer-coarse:size-9"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
      {onClear && (
        <Button size="sm" variant="ghost" onClick={onClear}>
          {filters.clear}
        </Button>
      )}
    </div>
  );
}

/** The chips of the active filters, in the order of `names`. */
export const chipsOf = <Name extends string>(
  names: Readonly<Record<Name, string>>,
  values: Partial<Record<Name, string | undefined>>,
): Chip[] =>
  (Object.keys(names) as Name[]).flatMap((key) => {
    const value = values[key];
    return value === undefined ? [] : [{ key, name: names[key], value }];
  });
