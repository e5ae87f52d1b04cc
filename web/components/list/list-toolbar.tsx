import type { ReactNode } from 'react';
import { SEARCH_MAX } from '../../../contract/limits.ts';
import { cx } from '../../ui/cx.ts';
import { SearchInput } from '../../ui/search-input.tsx';

interface ListToolbarProps {
  texts: { search: string; searchLabel: string };
  /** The typed text; it is searched for after a delay. */
  text: string;
  onText: (text: string) => void;
  /** At the top of a card, with a border below it. */
  inCard: boolean;
  filters: ReactNode;
}

/** The search of a list with its filters. */
export function ListToolbar({ texts, text, onText, inCard, filters }: ListToolbarProps) {
  return (
    <search
      data-print="hidden"
      className={cx('flex flex-wrap gap-2', inCard && 'border-b border-border px-5 py-4')}
    >
      <SearchInput
        label={texts.searchLabel}
        placeholder={texts.search}
        value={text}
        onChange={onText}
        maxLength={SEARCH_MAX}
        className={cx('min-w-48 flex-1 basis-64', !inCard && 'sm:max-w-md')}
      />
      {filters && <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:w-full">{filters}</div>}
    </search>
  );
}
