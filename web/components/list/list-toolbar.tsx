import type { ReactNode } from 'react';
import { SEARCH_MAX } from '../../../contract/limits.ts';
import { cx } from '../../ui/cx.ts';
import { SearchInput } from '../../ui/search-input.tsx';

interface ListToolbarProps {
  texts: { search: string; searchLabel: string };
  /** What is typed; it takes force a moment later. */
  text: string;
  onText: (text: string) => void;
  /** At the top of a card, with an edge below it. */
  inCard: boolean;
  filters: ReactNode;
}

/** The search of a list, and its filters beside it. */
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
