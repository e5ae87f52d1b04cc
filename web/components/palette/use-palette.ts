import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { SEARCH_MIN } from '../../../contract/base/limits.ts';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import {
  firstLine,
  linesWithVerbs,
  listOptions,
  type PaletteGroup,
  type PaletteOption,
  renewalNamed,
  verbBeside,
} from './palette-options.ts';
import { recentRecords } from './recent-records.ts';
import { searchQuery } from './search.api.ts';
import { type ReachableScreen, useActions } from './use-actions.ts';
import { useRecords } from './use-records.tsx';

/** The pause in typing before the palette searches: shorter than in lists, because no address changes (D058). */
const SEARCH_DELAY_MS = 150;

/** What of a key press the palette reads; React's event and the browser's have it. */
type Press = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target' | 'preventDefault' | 'stopPropagation'
>;

interface PaletteInput {
  /** The text of its box. */
  text: string;
  screens: readonly ReachableScreen[];
  /** Whether Enter opens the first match without a choice: yes from Ctrl+K, no from the box (D017). */
  firstIsActive: boolean;
  /** Whether Enter was pressed before the palette was there. */
  entered?: boolean;
  /** Writes into its box. */
  onText: (text: string) => void;
  /** Called with true when an option was chosen. */
  onClose: (chosen: boolean) => void;
}

/** The state of the palette: its options, the active one, and what the keys of its box do. */
export function usePalette({ text, screens, firstIsActive, entered = false, onText, onClose }: PaletteInput) {
  const listId = useId();
  const wanted = text.trim();
  const asked = useDelayed(wanted);
  const search = useQuery(searchQuery(asked));
  const renewed = renewalNamed(wanted);
  const renewedSearch = useQuery(searchQuery(renewalNamed(asked)));
  const recent = useMemo(recentRecords, []);
  const actions = useActions(screens, recent);
  const records = useRecords();

  const isSearched = wanted.length >= SEARCH_MIN;
  const pending =
    isSearched && (asked !== wanted || search.isFetching || (renewed !== '' && renewedSearch.isFetching));
  const failed = isSearched && !pending && search.isError ? search.error : null;
  // While the next answer is awaited, the last one stays, if it is about the same text.
  const answer = isSearched && failed === null && isAbout(search.data, wanted) ? search.data : undefined;
  const found = foundBy(records, answer, { renewed, toRenew: renewedSearch.data });
  const groups = listOptions({ text: wanted, recent: records.recent(recent), records: found, actions });
  const options = groups.flatMap((group) => group.options);

  const [chosenId, setChosenId] = useState<string | null>(null);
  /** The line whose verbs were asked for by a key. */
  const [openedId, setOpenedId] = useState<string | null>(null);
  /** Enter was pressed before the answer to the typed text was there. */
  const [enterWaits, setEnterWaits] = useState(entered);
  const [lastText, setLastText] = useState(text);
  if (lastText !== text) {
    setLastText(text);
    setChosenId(null);
    setOpenedId(null);
    setEnterWaits(false);
  }

  const withVerbs = linesWithVerbs(options, openedId);
  const verbsOf = (line: PaletteOption) => (withVerbs.has(line) ? (line.verbs ?? []) : []);
  const chosen = options.flatMap((line) => [line, ...verbsOf(line)]).find(({ id }) => id === chosenId);
  // Where the chosen line is gone, no other takes its place: Enter would do what nobody meant.
  const unchosen =
    firstIsActive && chosenId === null
      ? firstLine(groups, { text: wanted, pending, records: found })
      : undefined;
  const active = chosen ?? unchosen;
  /** The active line, or that of the active verb. */
  const line = options.find(
    (option) => option === active || option.verbs?.some(({ id }) => id === active?.id),
  );
  const idOf = ({ id }: PaletteOption) => `${listId}-${id}`;

  const choose = (option: PaletteOption) => {
    if (option.types !== undefined) return onText(option.types);
    onClose(true);
    option.run();
  };

  const goes = enterWaits && !pending;
  useEffect(() => {
    if (!goes) return;
    setEnterWaits(false);
    if (failed === null && active !== undefined) choose(active);
  });

  useInView(active && idOf(active));

  const moveTo = (position: number) => {
    setEnterWaits(false);
    setChosenId(options.at(position % options.length)?.id ?? null);
  };

  const toVerb = (step: 1 | -1) => {
    const next = verbBeside(line, active, step);
    if (line === undefined || next === undefined) return undefined;
    return () => {
      setEnterWaits(false);
      setOpenedId(line.id);
      setChosenId(next.id);
    };
  };

  const onKeyDown = (event: Press) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key !== 'Tab')) return;
    const position = line === undefined ? -1 : options.indexOf(line);
    const isVerb = line !== active;
    const steps: Partial<Record<string, () => void>> = {
      ArrowDown: () => moveTo(position + 1),
      ArrowUp: () => moveTo(isVerb && !line?.verbsBeside ? position : Math.max(position, 0) - 1),
      // Within the text they move the caret. After the last verb Tab leaves the box.
      ArrowRight: isVerb || isCaretAtEnd(event.target) ? toVerb(1) : undefined,
      ArrowLeft: isVerb ? toVerb(-1) : undefined,
      Tab: event.shiftKey ? (isVerb ? toVerb(-1) : undefined) : toVerb(1),
      // Without a choice they move the caret in the box.
      Home: chosen && (() => moveTo(0)),
      End: chosen && (() => moveTo(-1)),
      Enter: () => {
        if (active !== undefined) choose(active);
        else if (firstIsActive && chosenId === null && pending) setEnterWaits(true);
      },
      Escape: () => {
        // A dialog under the palette stays open.
        event.stopPropagation();
        onClose(false);
      },
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };

  return {
    listId,
    groups,
    verbsOf,
    active,
    idOf,
    choose,
    onKeyDown,
    /** By the pointer. */
    activate: (option: PaletteOption) => setChosenId(option.id),
    pending,
    failed,
    retry: () => void search.refetch(),
    /** Said to screen readers; '' while it is not known. */
    count: pending ? null : options.length,
    isTooShort: wanted !== '' && !isSearched && options.length === 0,
    isEmpty: isSearched && !pending && failed === null && options.length === 0,
    wanted,
  };
}

export type PaletteState = ReturnType<typeof usePalette>;

/** The records of an answer, and the renewals: of what the text names, else of what was found. */
function foundBy(
  records: ReturnType<typeof useRecords>,
  answer: SearchAnswer | undefined,
  { renewed, toRenew }: { renewed: string; toRenew: SearchAnswer | undefined },
): PaletteGroup[] {
  const groups = answer === undefined ? [] : records.groups(answer);
  if (renewed === '') return answer === undefined ? [] : [...groups, ...records.renewals(answer)];
  const isNamed = toRenew !== undefined && isAbout(toRenew, renewed);
  return isNamed ? [...records.renewals(toRenew), ...groups] : groups;
}

const isAbout = (answer: SearchAnswer | undefined, text: string) =>
  answer !== undefined && (text.startsWith(answer.query) || answer.query.startsWith(text));

/** Scrolls the active option into view. */
function useInView(activeId: string | undefined): void {
  const shownId = useRef(activeId);
  useLayoutEffect(() => {
    // The list opens at its top: there is nothing to scroll, and asking would make the browser lay out the page once more.
    if (shownId.current === activeId) return;
    shownId.current = activeId;
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
}

/** Whether the caret of a box stands behind its text, with nothing selected. */
const isCaretAtEnd = (box: EventTarget | null) =>
  box instanceof HTMLInputElement &&
  box.selectionStart === box.value.length &&
  box.selectionEnd === box.value.length;

/** A text after a pause in typing. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}
