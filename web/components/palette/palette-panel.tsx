import { CornerDownLeft, LoaderCircle, RotateCw, SearchX } from 'lucide-react';
import { Fragment, type MouseEvent, type PointerEvent } from 'react';
import { errorMessage } from '../../api/api-error.ts';
import { actions } from '../../text/es.ts';
import { groupHeading, paletteTexts, paletteVerbs, resultCount } from '../../text/es-palette.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Kbd } from '../../ui/kbd.tsx';
import type { PaletteGroup, PaletteOption, PaletteVerb } from './palette-options.ts';
import type { PaletteState } from './use-palette.ts';

/** The panel under the palette's search box: options in groups, a text if there are none, and the available keys. */
export function PalettePanel({ palette, className }: { palette: PaletteState; className?: string }) {
  const { listId, groups, isEmpty, isTooShort, failed, pending, requested } = palette;
  return (
    <div className={cx('flex min-h-0 flex-col', className)}>
      <div className="flex min-h-0 flex-1 flex-col">
        {failed !== null && <Failure palette={palette} error={failed} />}
        {groups.length > 0 && (
          <div
            role="listbox"
            id={listId}
            aria-label={paletteTexts.results}
            aria-busy={pending || undefined}
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2"
          >
            {groups.map((group) => (
              <Group key={group.options[0]?.id} group={group} palette={palette} />
            ))}
          </div>
        )}
        {isEmpty && (
          <div className="flex flex-col items-center px-6 py-10 text-center">
            <SearchX aria-hidden className="size-5 text-muted" />
            <p className="mt-2 max-w-full font-medium wrap-anywhere">{paletteTexts.empty(requested)}</p>
            <p className="mt-0.5 text-xs text-muted">{paletteTexts.emptyHint}</p>
          </div>
        )}
        {isTooShort && <p className="px-6 py-8 text-center text-muted">{paletteTexts.tooShort}</p>}
        {pending && groups.length === 0 && (
          <p className="flex items-center justify-center gap-2.5 px-6 py-10 text-muted">
            <LoaderCircle aria-hidden className="size-4 animate-turn" />
            {paletteTexts.loading}
          </p>
        )}
      </div>
      <p id={`${listId}-verbs`} hidden>
        {paletteVerbs.hint}
      </p>
      <p role="status" className="sr-only">
        {palette.count !== null &&
          failed === null &&
          (isEmpty ? paletteTexts.empty(requested) : resultCount(palette.count))}
      </p>
      <div className="flex shrink-0 items-center gap-4 border-t border-border px-4 py-2 text-xs text-muted pointer-coarse:hidden max-sm:hidden">
        <Hint keys={['↑', '↓']} text={paletteTexts.hints.move} />
        <Hint keys={['↵']} text={paletteTexts.hints.open} />
        <Hint keys={['→']} text={paletteTexts.hints.verbs} />
        <Hint keys={['Esc']} text={paletteTexts.hints.close} />
      </div>
    </div>
  );
}

const Hint = ({ keys, text }: { keys: readonly string[]; text: string }) => (
  <span className="inline-flex items-center gap-1">
    {keys.map((key) => (
      <Kbd key={key}>{key}</Kbd>
    ))}
    <span className="ml-0.5">{text}</span>
  </span>
);

/**
 * The lines of a group under its heading. If the actions of a line are shown under it, they form a separate group, and
 * the remaining lines follow in a second part.
 */
function Group({ group: { key, options }, palette }: { group: PaletteGroup; palette: PaletteState }) {
  const { listId, verbsOf } = palette;
  // The first option's id makes the heading's id unique, because a kind of action may have two groups, above and below
  // the records.
  const headingId = `${listId}-above-${options[0]?.id}`;
  const isOpen = (option: PaletteOption) => !option.verbsBeside && verbsOf(option).length > 0;
  return parted(options, isOpen).map((part, index) => {
    const last = part.at(-1)!;
    return (
      <Fragment key={part[0]!.id}>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of options, not of controls */}
        <div role="group" aria-labelledby={headingId} className={cx(index === 0 && 'not-first:mt-2')}>
          {index === 0 && (
            <p
              id={headingId}
              role="presentation"
              className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted"
            >
              {groupHeading(key)}
            </p>
          )}
          {part.map((option) => (
            <div
              key={option.id}
              role="presentation"
              className={cx(
                'flex items-center gap-1.5',
                option.verbsBeside && verbsOf(option).length > 0 && 'pr-2.5',
              )}
            >
              <Option option={option} palette={palette} />
              {option.verbsBeside &&
                verbsOf(option).map((verb) => <Verb key={verb.id} {...{ verb, palette }} />)}
            </div>
          ))}
        </div>
        {isOpen(last) && (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of controls
          <div
            role="group"
            aria-label={paletteVerbs.of(last.title)}
            className="flex flex-wrap gap-1.5 pt-0.5 pr-2.5 pb-1.5 pl-9.5"
          >
            {verbsOf(last).map((verb) => (
              <Verb key={verb.id} {...{ verb, palette }} />
            ))}
          </div>
        )}
      </Fragment>
    );
  });
}

/** Splits the lines into parts. Each part ends after a line for which `ends` is true. */
function parted(
  options: readonly PaletteOption[],
  ends: (option: PaletteOption) => boolean,
): PaletteOption[][] {
  const parts: PaletteOption[][] = [];
  let isNew = true;
  for (const option of options) {
    if (isNew) parts.push([option]);
    else parts.at(-1)!.push(option);
    isNew = ends(option);
  }
  return parts;
}

/** Props that every option has: the pointer chooses it, and the search box keeps the focus. */
const optionProps = (option: PaletteOption, palette: PaletteState) => ({
  id: palette.idOf(option),
  // onPointerMove, not onPointerEnter: a list that appears under a resting pointer must not choose an option.
  onPointerMove: () => {
    if (palette.active !== option) palette.activate(option);
  },
  onPointerDown: (event: PointerEvent) => event.preventDefault(),
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
  onClick: () => palette.choose(option),
});

function Verb({ verb, palette }: { verb: PaletteVerb; palette: PaletteState }) {
  const { icon: Icon, label, title } = verb;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box (aria-activedescendant)
    <div
      role="option"
      aria-selected={palette.active === verb}
      {...optionProps(verb, palette)}
      aria-label={title}
      className={cx(
        'flex min-h-7 max-w-full shrink-0 cursor-pointer scroll-my-9 items-center gap-1.5 rounded-md border px-2 text-xs font-medium select-none pointer-coarse:min-h-11 pointer-coarse:px-3',
        palette.active === verb ? 'border-brand bg-brand-tint text-brand-text' : 'border-border text-text',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">{label}</span>
    </div>
  );
}

function Option({ option, palette }: { option: PaletteOption; palette: PaletteState }) {
  const { icon: Icon, title, detail, meta, keys, isCode, card, verbs = [] } = option;
  const isActive = palette.active === option;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box (aria-activedescendant)
    <div
      role="option"
      aria-selected={isActive}
      {...optionProps(option, palette)}
      aria-describedby={verbs.length > 0 ? `${palette.listId}-verbs` : undefined}
      className={cx(
        'flex min-h-10 min-w-0 flex-1 cursor-pointer scroll-my-9 items-center gap-3 rounded-lg px-2.5 py-1.5 select-none pointer-coarse:min-h-12',
        card !== undefined && 'flex-wrap gap-y-2 pb-2.5',
        isActive && 'bg-brand-tint',
      )}
    >
      <Icon aria-hidden className={cx('size-4 shrink-0', isActive ? 'text-brand-text' : 'text-muted')} />
      <span className="min-w-0 flex-1">
        <span className={cx('block truncate font-medium', isCode && 'font-mono text-[0.8125rem]')}>
          <bdi translate={isCode ? 'no' : undefined}>{title}</bdi>
        </span>
        {detail && <span className="block truncate text-xs text-muted">{detail}</span>}
      </span>
      {meta && <span className="flex shrink-0 items-center gap-2.5">{meta}</span>}
      {keys && (
        <span className="flex shrink-0 gap-1 pointer-coarse:hidden">
          {keys.map((key) => (
            <Kbd key={key} className="bg-surface">
              {key}
            </Kbd>
          ))}
        </span>
      )}
      {isActive && !keys && (
        <CornerDownLeft aria-hidden className="size-3.5 shrink-0 text-brand-text pointer-coarse:hidden" />
      )}
      {card && <span className="basis-full sm:pl-7">{card}</span>}
    </div>
  );
}

function Failure({ palette, error }: { palette: PaletteState; error: Error }) {
  return (
    <div
      role="alert"
      className="m-2 flex flex-wrap items-center gap-3 rounded-lg bg-critical-tint px-3.5 py-2.5"
    >
      <div className="min-w-40 flex-1">
        <p className="font-semibold text-critical-text">{paletteTexts.failed}</p>
        <p className="wrap-anywhere">{errorMessage(error)}</p>
      </div>
      <Button size="sm" icon={RotateCw} onClick={palette.retry}>
        {actions.retry}
      </Button>
    </div>
  );
}
