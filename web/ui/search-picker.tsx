import { Combobox } from '@base-ui/react/combobox';
import { ChevronDown, LoaderCircle, Plus, X } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { CONTROL_CLASS, CONTROL_HEIGHT } from './control-class.ts';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';

interface SearchPickerProps<Item> {
  /** The options that match the search; the caller searches and filters. */
  items: readonly Item[];
  value: Item | null;
  onChange: (item: Item | null) => void;
  /** Called with the typed text; with '' when it is cleared or the list opens again. The caller debounces. */
  onSearch: (text: string) => void;
  itemKey: (item: Item) => string | number;
  /** The text in the box when the item is selected. */
  itemText: (item: Item) => string;
  renderItem: (item: Item) => ReactNode;
  loading?: boolean;
  loadingText: string;
  emptyText: string;
  /** Shown in the list instead of the empty text if the search failed. */
  errorText?: string | undefined;
  /** Adds an option to create an item if nothing was found for the typed text. */
  create?: { label: (text: string) => string; onCreate: (text: string) => void };
  placeholder: string;
  clearLabel: string;
  /** The input element, for forms that focus invalid fields. */
  inputRef?: Ref<HTMLInputElement>;
  onBlur?: () => void;
}

/** If the list is closed, Escape would clear the box by default. Here it closes the dialog around it. */
function leaveToDialog(details: { cancel: () => void; allowPropagation: () => void }): void {
  details.cancel();
  details.allowPropagation();
}

/** The option that creates an item from the typed text. */
class NewItem {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A combobox with a search; put it in a `Field` for its label. It works with any type of items. */
export function SearchPicker<Item>({
  items,
  value,
  onChange,
  onSearch,
  itemKey,
  itemText,
  renderItem,
  loading = false,
  loadingText,
  emptyText,
  errorText,
  create,
  placeholder,
  clearLabel,
  inputRef,
  onBlur,
}: SearchPickerProps<Item>) {
  const fieldControl = useFieldControl({});
  const nothingToPick = errorText ?? emptyText;
  const [typed, setTyped] = useState('');
  const search = (text: string) => {
    setTyped(text.trim());
    onSearch(text);
  };
  const offersNew =
    create !== undefined && typed !== '' && !loading && errorText === undefined && items.length === 0;
  const choices: readonly (Item | NewItem)[] = offersNew ? [new NewItem(typed)] : items;
  return (
    <Combobox.Root
      items={choices}
      // The caller filters, because only it knows the fields and whether a server must search.
      filter={null}
      value={value}
      onValueChange={(item: Item | NewItem | null, details) => {
        if (details.reason === 'escape-key') leaveToDialog(details);
        else if (item instanceof NewItem) create?.onCreate(item.text);
        else onChange(item);
      }}
      itemToStringLabel={(item: Item | NewItem) => (item instanceof NewItem ? item.text : itemText(item))}
      isItemEqualToValue={(item: Item | NewItem, chosen: Item | NewItem) =>
        !(item instanceof NewItem) && !(chosen instanceof NewItem) && itemKey(item) === itemKey(chosen)
      }
      onInputValueChange={(text, details) => {
        const { reason } = details;
        if (reason === 'escape-key') leaveToDialog(details);
        if (reason === 'input-change') search(text);
        if (reason === 'input-clear' || reason === 'clear-press') search('');
      }}
      onOpenChange={(open, { reason }) => {
        // If the list was opened by typing, the text has already been reported.
        if (open && reason !== 'input-change') search('');
      }}
      // Typing highlights the first match, and the arrow keys stop at the ends, so Enter always selects an item.
      autoHighlight
      loopFocus={false}
    >
      <Combobox.InputGroup className="relative">
        <Combobox.Input
          {...fieldControl}
          ref={inputRef}
          onBlur={onBlur}
          placeholder={placeholder}
          className={cx(CONTROL_CLASS, CONTROL_HEIGHT, 'pr-16 text-ellipsis pointer-coarse:pr-22')}
        />
        <div className="absolute inset-y-0 right-1 flex items-center">
          <Combobox.Clear
            aria-label={clearLabel}
            className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
          >
            <X aria-hidden className="size-4" />
          </Combobox.Clear>
          <Combobox.Trigger
            aria-label="Mostrar opciones"
            className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-text pointer-coarse:size-11"
          >
            <ChevronDown aria-hidden className="size-4" />
          </Combobox.Trigger>
        </div>
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-45 outline-none">
          <Combobox.Popup
            aria-busy={loading || undefined}
            className="w-(--anchor-width) max-w-(--available-width) overflow-hidden rounded-lg border border-border bg-raised shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Combobox.Status className="text-muted">
              {offersNew && <span className="block px-3 pt-2.5">{emptyText}</span>}
            </Combobox.Status>
            <Combobox.Empty className="text-muted">
              {!loading && <span className="block px-3 py-2.5">{nothingToPick}</span>}
            </Combobox.Empty>
            {/* About 15 rem high, then it scrolls (SEED-2.3-21). */}
            <Combobox.List className="max-h-[min(15rem,var(--available-height))] scroll-py-1 overflow-y-auto overscroll-contain outline-none not-empty:p-1">
              {(item: Item | NewItem) => (
                <Combobox.Item
                  key={item instanceof NewItem ? 'new' : itemKey(item)}
                  value={item}
                  className="cursor-default rounded-md px-2 py-2 select-none data-highlighted:bg-sunken data-selected:bg-brand-tint pointer-coarse:min-h-11"
                >
                  {item instanceof NewItem ? (
                    <span className="flex items-center gap-2 font-medium text-brand-text">
                      <Plus aria-hidden className="size-4 shrink-0" />
                      <span className="min-w-0 wrap-anywhere">{create?.label(item.text)}</span>
                    </span>
                  ) : (
                    renderItem(item)
                  )}
                </Combobox.Item>
              )}
            </Combobox.List>
            {/* Below the options, so that they do not move under the pointer when the status disappears. */}
            <Combobox.Status className="text-muted">
              {loading && (
                <span className="flex items-center gap-2 px-3 py-2.5">
                  <LoaderCircle aria-hidden className="size-4 animate-turn" />
                  {loadingText}
                </span>
              )}
            </Combobox.Status>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
}
