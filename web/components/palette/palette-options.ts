import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { normalizeForSearch } from '../../../contract/text.ts';
import type { GROUP_LABELS } from '../../text/es-palette.ts';

export type GroupKey = keyof typeof GROUP_LABELS;

/** One line of the palette. */
export interface PaletteOption {
  /** Unique in the palette; the end of the element's id. */
  id: string;
  title: string;
  /** A licence key: letters of one width. */
  isCode?: boolean;
  /** The second line. */
  detail?: string | undefined;
  icon: LucideIcon;
  /** At the right end: a badge, a date. */
  meta?: ReactNode;
  /** The keys that do the same. */
  keys?: readonly string[] | undefined;
  run: () => void;
}

export interface PaletteGroup {
  key: GroupKey;
  options: PaletteOption[];
}

/** An action, with other words by which it is found. */
export interface PaletteAction extends PaletteOption {
  group: 'create' | 'go' | 'other';
  words: string;
}

/** Whether each typed word begins a word of the action. */
export function fitsAction({ title, words }: Pick<PaletteAction, 'title' | 'words'>, text: string): boolean {
  const known = normalizeForSearch(`${title} ${words}`).split(' ');
  return normalizeForSearch(text)
    .split(' ')
    .every((typed) => known.some((word) => word.startsWith(typed)));
}

/** From this length on, an action whose label begins with the text stands before the records. */
const CLEAR_LETTERS = 3;

/** The groups without those that are empty, in their order. */
const present = (groups: PaletteGroup[]) => groups.filter(({ options }) => options.length > 0);

const inGroups = (actions: readonly PaletteAction[]) =>
  (['create', 'go', 'other'] as const).map((key) => ({
    key,
    options: actions.filter(({ group }) => group === key),
  }));

/**
 * What the palette lists. Without a text: the recent records, then every action. With one: the records, then the
 * actions that fit; an action that the text begins to spell ("nueva li") comes first, because it is known at once and
 * must not move when the records arrive.
 */
export function listOptions({
  text,
  recent,
  records,
  actions,
}: {
  text: string;
  recent: PaletteOption[];
  records: PaletteGroup[];
  actions: readonly PaletteAction[];
}): PaletteGroup[] {
  const wanted = normalizeForSearch(text);
  if (wanted === '') return present([{ key: 'recent', options: recent }, ...inGroups(actions)]);
  const fitting = actions.filter((action) => fitsAction(action, wanted));
  const isSpelled = ({ title }: PaletteAction) =>
    wanted.length >= CLEAR_LETTERS && normalizeForSearch(title).startsWith(wanted);
  return present([
    ...inGroups(fitting.filter(isSpelled)),
    ...records,
    ...inGroups(fitting.filter((action) => !isSpelled(action))),
  ]);
}
