import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorText } from '../../ui/field.tsx';

interface CardListProps<Item> {
  items: readonly Item[];
  onChange: (items: Item[]) => void;
  /** The most cards that can be added. */
  max: number;
  blank: () => Item;
  texts: {
    title: string;
    help: string;
    /** The heading of a card by its number, from 1. */
    one: (number: number) => string;
    remove: (name: string, number: number) => string;
    add: string;
    full: (max: number) => string;
  };
  /** What its button to remove calls an item. */
  nameOf: (item: Item) => string;
  /** A selector of the input of a card that gets the focus. */
  focused: string;
  error: string | undefined;
  className?: string;
  children: (item: Item, index: number, change: (part: Partial<Item>) => void) => ReactNode;
}

/** A list in a form whose items are cards with inputs: contacts (DESK-04), accounts for transfers (MONEY-11). */
export function CardList<Item>(props: CardListProps<Item>) {
  const { items, onChange, max, blank, texts, nameOf, focused, error, className = '', children } = props;
  const group = useRef<HTMLFieldSetElement>(null);
  const [errorId, helpId] = [useId(), useId()];

  /** Focuses a card after it is rendered; without cards the button that adds one. */
  const focusCard = (index: number) =>
    requestAnimationFrame(() => {
      const inputs = group.current?.querySelectorAll<HTMLInputElement>(focused);
      const target = inputs?.[Math.min(index, inputs.length - 1)];
      (target ?? group.current?.querySelector('button'))?.focus();
    });

  return (
    <fieldset
      ref={group}
      aria-describedby={[error && errorId, helpId].filter(Boolean).join(' ')}
      className={`min-w-0 space-y-3 ${className}`}
    >
      <legend className="text-sm font-semibold text-text">{texts.title}</legend>
      <p id={helpId} className="text-xs text-muted">
        {texts.help}
      </p>
      {items.map((item, index) => {
        const number = index + 1;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no id, and their inputs are controlled
          <fieldset key={index} className="min-w-0 rounded-lg border border-border p-3">
            <legend className="sr-only">{texts.one(number)}</legend>
            <div className="mb-2 flex items-center justify-between gap-2">
              <span aria-hidden className="text-xs font-medium text-muted">
                {texts.one(number)}
              </span>
              <button
                type="button"
                aria-label={texts.remove(nameOf(item).trim(), number)}
                onClick={() => {
                  onChange(items.filter((_item, at) => at !== index));
                  focusCard(index);
                }}
                className="-m-2 inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:text-text pointer-coarse:size-11"
              >
                <X aria-hidden className="size-4" />
              </button>
            </div>
            {children(item, index, (part) =>
              onChange(items.map((other, at) => (at === index ? { ...other, ...part } : other))),
            )}
          </fieldset>
        );
      })}
      {items.length < max ? (
        <Button
          size="sm"
          icon={Plus}
          onClick={() => {
            onChange([...items, blank()]);
            focusCard(items.length);
          }}
        >
          {texts.add}
        </Button>
      ) : (
        <p className="text-xs text-muted">{texts.full(max)}</p>
      )}
      {error && <ErrorText id={errorId}>{error}</ErrorText>}
    </fieldset>
  );
}
