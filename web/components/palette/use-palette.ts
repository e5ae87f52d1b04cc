import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { SEARCH_MIN } from '../../../contract/base/limits.ts';
import type { SearchAnswer } from '../../../contract/base/search.ts';
import type { PaymentRequest } from '../../../contract/payments/payment-requests.ts';
import {
  firstLine,
  linesWithVerbs,
  listOptions,
  type NamedVerb,
  type PaletteGroup,
  type PaletteOption,
  verbBeside,
  verbNamed,
} from './palette-options.ts';
import { recentRecords } from './recent-records.ts';
import { openRequestsQuery, searchQuery } from './search.api.ts';
import { type ReachableScreen, useActions } from './use-actions.ts';
import { useRecords } from './use-records.tsx';

/**
 * The pause in typing before the palette searches. Shorter than in lists, because the address does not change (D058).
 */
const SEARCH_DELAY_MS = 150;

/** The fields of a keyboard event that the palette reads. React's events and the browser's have them. */
type Press = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'target' | 'preventDefault' | 'stopPropagation'
>;

interface PaletteInput {
  /** The text of the search box. */
  text: string;
  screens: readonly ReachableScreen[];
  /** Whether Enter opens the first match if none was chosen: true for Ctrl+K, false for the box (D017). */
  firstIsActive: boolean;
  /** True if Enter was pressed before the palette was loaded. */
  entered?: boolean;
  /** Called to write a text into the search box. */
  onText: (text: string) => void;
  /** Called with true when an option was chosen. */
  onClose: (chosen: boolean) => void;
}

/** The state of the palette: its options, the active option, and the key handlers of its search box. */
export function usePalette({ text, screens, firstIsActive, entered = false, onText, onClose }: PaletteInput) {
  const listId = useId();
  const requested = text.trim();
  const asked = useDelayed(requested);
  const search = useQuery(searchQuery(asked));
  const named = useNamed(requested, asked);
  const recent = useMemo(recentRecords, []);
  const actions = useActions(screens, recent);
  const records = useRecords();

  const isSearched = requested.length >= SEARCH_MIN;
  const pending = isSearched && (asked !== requested || search.isFetching || named.isFetching);
  const failed = isSearched && !pending && search.isError ? search.error : null;
  // While the next answer is loading, the previous one stays if it is about the same text.
  const answer = isSearched && failed === null && isAbout(search.data, requested) ? search.data : undefined;
  const found = foundBy(records, answer, named);
  const groups = listOptions({ text: requested, recent: records.recent(recent), records: found, actions });
  const options = groups.flatMap((group) => group.options);

  const [chosenId, setChosenId] = useState<string | null>(null);
  /** The line whose actions were opened with a key. */
  const [openedId, setOpenedId] = useState<string | null>(null);
  /** True if Enter was pressed before the answer to the typed text arrived. */
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
  // If the chosen line disappeared, no other line becomes active: Enter would open something that the user did not
  // choose.
  const unchosen =
    firstIsActive && chosenId === null
      ? firstLine(groups, { text: requested, pending, records: found })
      : undefined;
  const active = chosen ?? unchosen;
  /** The active line, or the line of the active action. */
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
      // ArrowRight and ArrowLeft move the caret while it is inside the text. Tab after the last action leaves the box.
      ArrowRight: isVerb || isCaretAtEnd(event.target) ? toVerb(1) : undefined,
      ArrowLeft: isVerb ? toVerb(-1) : undefined,
      Tab: event.shiftKey ? (isVerb ? toVerb(-1) : undefined) : toVerb(1),
      // Without a chosen option, Home and End move the caret in the box.
      Home: chosen && (() => moveTo(0)),
      End: chosen && (() => moveTo(-1)),
      Enter: () => {
        if (active !== undefined) choose(active);
        else if (firstIsActive && chosenId === null && pending) setEnterWaits(true);
      },
      Escape: () => {
        // Stops the event, so that a dialog under the palette stays open.
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
    /** Called when the pointer moves over an option. */
    activate: (option: PaletteOption) => setChosenId(option.id),
    pending,
    failed,
    retry: () => void search.refetch(),
    /** The number of options, announced to screen readers; null while it is not known. */
    count: pending ? null : options.length,
    isTooShort: requested !== '' && !isSearched && options.length === 0,
    isEmpty: isSearched && !pending && failed === null && options.length === 0,
    requested,
  };
}

export type PaletteState = ReturnType<typeof usePalette>;

interface Named {
  /** The typed verb, and the name after it. */
  typed: { verb: NamedVerb; name: string } | null;
  /** What the search for the name found, and the open requests of it. */
  about: SearchAnswer | undefined;
  requests: readonly PaymentRequest[];
}

/** What a typed verb asks for; the name is searched for after a pause in typing. */
function useNamed(requested: string, asked: string): Named & { isFetching: boolean } {
  const typed = verbNamed(requested);
  const sought = verbNamed(asked);
  const about = useQuery(searchQuery(sought?.name ?? ''));
  const requests = useQuery(openRequestsQuery(sought?.verb === 'pay' ? sought.name : ''));
  return {
    typed,
    about: about.data,
    requests: requests.data ?? [],
    isFetching: typed !== null && (about.isFetching || requests.isFetching),
  };
}

/**
 * The records of an answer, and what the typed verb offers for the licence or client that is named after it; without a
 * verb the renewals of the licences found.
 */
function foundBy(
  records: ReturnType<typeof useRecords>,
  answer: SearchAnswer | undefined,
  { typed, about, requests }: Named,
): PaletteGroup[] {
  const groups = answer === undefined ? [] : records.groups(answer);
  if (typed === null) return answer === undefined ? [] : [...groups, ...records.renewals(answer)];
  if (about === undefined || !isAbout(about, typed.name)) return groups;
  const offered = {
    renew: () => records.renewals(about),
    charge: () => records.charges(about),
    pay: () => records.payments(about, requests),
  };
  return [...offered[typed.verb](), ...groups];
}

const isAbout = (answer: SearchAnswer | undefined, text: string) =>
  answer !== undefined && (text.startsWith(answer.query) || answer.query.startsWith(text));

/** Scrolls the active option into view. */
function useInView(activeId: string | undefined): void {
  const shownId = useRef(activeId);
  useLayoutEffect(() => {
    // Skipped for the first active option: the list opens scrolled to its top, and scrolling would cause one more
    // layout.
    if (shownId.current === activeId) return;
    shownId.current = activeId;
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
}

/** True if the caret is at the end of the text and nothing is selected. */
const isCaretAtEnd = (box: EventTarget | null) =>
  box instanceof HTMLInputElement &&
  box.selectionStart === box.value.length &&
  box.selectionEnd === box.value.length;

/** Returns the text after a pause in typing. */
function useDelayed(text: string): string {
  const [delayed, setDelayed] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(text), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return delayed;
}
