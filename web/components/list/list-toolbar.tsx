import { SlidersHorizontal } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { PASTED_MAX } from '../../../contract/base/limits.ts';
import { filterTexts } from '../../text/es-lists.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { SearchInput } from '../../ui/search-input.tsx';
import { FilterChips } from './filter-chips.tsx';
import { ViewsButton } from './views-button.tsx';

interface ListToolbarProps {
  texts: { search?: string; searchLabel?: string };
  /** The typed text. The search starts after a delay. */
  text: string;
  onText: (text: string) => void;
  /** True at the top of a card: a border is shown below. */
  inCard: boolean;
  /** Only in a section: the primary button. Then a phone shows each part of the toolbar on a separate line. */
  create: ReactNode;
  filters: ReactNode;
  /**
   * Opens the dialog 'Filtros'; undefined if the list has none. Then its filters stay beside the search box on a phone
   * too.
   */
  onMore: (() => void) | undefined;
  views: ComponentProps<typeof ViewsButton> | undefined;
  chips: ComponentProps<typeof FilterChips>;
}

/** The search box of a list with its filters. */
export function ListToolbar({
  texts: { search, searchLabel = '' },
  text,
  onText,
  inCard,
  create,
  filters,
  onMore,
  views,
  chips,
}: ListToolbarProps) {
  const inSection = create !== undefined;
  const narrows = search !== undefined || Boolean(filters);
  const Bar = narrows ? 'search' : 'div';
  return (
    <Bar
      data-print={narrows ? 'hidden' : undefined}
      className={cx(
        'flex flex-wrap gap-2',
        inCard && 'border-b border-border px-5 py-4',
        inSection && 'max-sm:*:w-full',
      )}
    >
      {search !== undefined && (
        <SearchInput
          label={searchLabel}
          placeholder={search}
          value={text}
          onChange={onText}
          maxLength={PASTED_MAX}
          className={cx(!inSection && 'min-w-48 flex-1 basis-48', !inCard && 'sm:max-w-md')}
        />
      )}
      {inSection && filters}
      {!inSection && filters && (
        <div className={cx('flex flex-wrap gap-2 max-sm:w-full max-sm:*:w-full', onMore && 'max-sm:hidden')}>
          {filters}
        </div>
      )}
      {(onMore || views) && (
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          {onMore && (
            <Button icon={SlidersHorizontal} aria-haspopup="dialog" onClick={onMore}>
              {filterTexts.more}
            </Button>
          )}
          {views && <ViewsButton {...views} />}
        </div>
      )}
      {create}
      <FilterChips {...chips} />
    </Bar>
  );
}
