import { FileCode2 } from 'lucide-react';
import type { Software } from '../../../contract/software/software.ts';
import { type ListedRows, RowActions } from '../../components/list/record-table.tsx';
import { ActiveBadge } from '../../components/record/badges.tsx';
import { OVER_LIST } from '../../components/record/dialog-step.ts';
import { RelativeTime } from '../../components/record/relative-time.tsx';
import { Link } from '../../navigation/link.tsx';
import { PATHS } from '../../paths.ts';
import { states } from '../../text/es.ts';
import { activeLicenseCount, kitTitle, softwareTexts } from '../../text/es-software.ts';
import { iconButtonClass } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { SkeletonCard } from '../../ui/skeleton.tsx';
import { PageSelectBox, RowSelectBox } from '../../ui/table-selection.tsx';

const GRID = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4';
const PLACEHOLDER_CARDS = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

/** A card for each software (SEED-2.10-01 to -04, D116). */
export function SoftwareGrid({ list }: { list: ListedRows<Software> }) {
  if (list.rows === undefined) return <Placeholder />;
  const { rows, selection } = list;
  return (
    <>
      {selection && <PageSelectBox rows={rows} selection={selection} labelled className="w-fit gap-2 px-1" />}
      <ul
        aria-label={softwareTexts.title}
        aria-busy={list.busy}
        className={cx(GRID, 'transition-opacity', list.busy && 'opacity-55 delay-100')}
      >
        {rows.map((item) => (
          <li
            key={item.id}
            data-row-key={item.id}
            data-selected={selection?.isSelected(item) || undefined}
            className="min-w-0"
          >
            <article
              data-print="plain"
              // Not with `group-data-selected:`, because then the browser recomputes the styles of all elements in
              // each selected row.
              className={cx(
                'flex h-full flex-col rounded-xl border bg-surface shadow-edge',
                selection?.isSelected(item) ? 'border-brand' : 'border-border',
              )}
            >
              <div className="flex-1 px-5 pt-4 pb-3">
                <header className="flex items-start justify-between gap-3">
                  {selection && (
                    <RowSelectBox row={item} selection={selection} className="-my-1 -mr-1 -ml-2" />
                  )}
                  <div className="min-w-0 flex-1">
                    <h2 className="text-base font-semibold wrap-anywhere">
                      <Link
                        to={PATHS.softwareItem}
                        params={{ id: String(item.id) }}
                        search={true}
                        state={OVER_LIST}
                        preload={false}
                        className="hover:text-brand-text hover:underline"
                      >
                        <bdi>{item.name}</bdi>
                      </Link>
                    </h2>
                    <p className="text-xs text-muted wrap-anywhere">{item.version}</p>
                  </div>
                  <ActiveBadge isActive={item.is_active} />
                </header>
                <p className={cx('mt-3 line-clamp-3 wrap-anywhere', !item.description && 'text-muted')}>
                  {item.description || softwareTexts.noDescription}
                </p>
              </div>
              <footer className="flex items-center justify-between gap-3 border-t border-border py-2 pr-3 pl-5">
                <div className="min-w-0 text-xs">
                  <Link
                    to={PATHS.licenses}
                    search={{ software: item.id }}
                    preload={false}
                    className="inline-block min-h-6 content-center font-medium hover:text-brand-text hover:underline"
                  >
                    {activeLicenseCount(item.active_licenses_count ?? 0)}
                  </Link>
                  <RelativeTime value={item.created_at} className="block text-muted" />
                </div>
                <div data-print="hidden" className="flex shrink-0 gap-0.5">
                  <Link
                    to={PATHS.integration}
                    params={{ id: String(item.id) }}
                    preload={false}
                    aria-label={kitTitle}
                    data-tooltip={kitTitle}
                    className={iconButtonClass('quiet', 'sm')}
                  >
                    <FileCode2 aria-hidden className="size-4.5" />
                  </Link>
                  <RowActions row={item} list={list} view />
                </div>
              </footer>
            </article>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Skeleton cards during the first load. */
const Placeholder = () => (
  <div role="status" className={GRID}>
    <span className="sr-only">{states.loading}</span>
    {PLACEHOLDER_CARDS.map((key) => (
      <SkeletonCard key={key} className="min-h-44" />
    ))}
  </div>
);
