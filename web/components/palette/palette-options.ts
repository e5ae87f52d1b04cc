import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { normalizeForSearch } from '../../../contract/base/text.ts';
import type { GroupKey } from '../../text/es-palette.ts';

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
  /** Written into the box, in which one goes on typing; the palette stays open. */
  types?: string;
  /** What can be done with its record; absent on a line that is no record of an answer. */
  verbs?: readonly PaletteVerb[];
  /** They stand at the right end of the line, always in sight; else under it. */
  verbsBeside?: boolean;
  run: () => void;
}

/** Something to be done with the record of a line; its title, which names the record, is what screen readers hear. */
export interface PaletteVerb extends Omit<PaletteOption, 'types' | 'verbs'> {
  label: string;
}

export interface PaletteGroup {
  key: GroupKey;
  options: PaletteOption[];
}

/** An action, with other words by which it is found. */
export interface PaletteAction extends PaletteOption {
  group: 'create' | 'renew' | 'go' | 'other';
  words: string;
  /** It is found only by a text that begins with its verb: the name of its record finds the record itself. */
  byVerb?: boolean;
}

/** Whether each typed word begins a word of the action. */
export function fitsAction(
  { title, words, byVerb = false }: Pick<PaletteAction, 'title' | 'words' | 'byVerb'>,
  text: string,
): boolean {
  const known = normalizeForSearch(`${title} ${words}`).split(' ');
  const typed = normalizeForSearch(text).split(' ');
  if (byVerb && !known[0]!.startsWith(typed[0]!)) return false;
  return typed.every((begun) => known.some((word) => word.startsWith(begun)));
}

/** From this length on, the actions that fit a text stand before the records. */
const CLEAR_LETTERS = 3;

/** The groups without those that are empty, in their order; neighbours of one key are one group with one heading. */
function present(groups: PaletteGroup[]): PaletteGroup[] {
  const shown: PaletteGroup[] = [];
  for (const { key, options } of groups) {
    const last = shown.at(-1);
    if (last?.key === key) last.options = [...last.options, ...options];
    else if (options.length > 0) shown.push({ key, options });
  }
  return shown;
}

const inGroups = (actions: readonly PaletteAction[]) =>
  (['create', 'renew', 'go', 'other'] as const).map((key) => ({
    key,
    options: actions.filter(({ group }) => group === key),
  }));

/**
 * What the palette lists. Without a text: the recent records, then every action. With one: the actions that fit, which
 * are known at once, then the records, so that nothing moves when these arrive. One or two letters fit too many actions:
 * there the records come first.
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
  const listed = new Set(fitting.map(({ id }) => id));
  const others = records.map(({ key, options }) => ({
    key,
    options: options.filter(({ id }) => !listed.has(id)),
  }));
  const groups = inGroups(fitting);
  return present(isClear(wanted) ? [...groups, ...others] : [...others, ...groups]);
}

const isClear = (text: string) => text.length >= CLEAR_LETTERS;

/**
 * The line that Enter chooses where no other was chosen: the first. While the answer to the text is awaited it is only
 * one that stays the first: an action that fits the text.
 */
export function firstLine(
  groups: readonly PaletteGroup[],
  { text, pending, records }: { text: string; pending: boolean; records: readonly PaletteGroup[] },
): PaletteOption | undefined {
  const first = groups[0]?.options[0];
  if (!pending || first === undefined) return first;
  const isRecord = records.some(({ options }) => options.some(({ id }) => id === first.id));
  return isRecord || !isClear(normalizeForSearch(text)) ? undefined : first;
}

/** What a text that begins with 'renovar' names: a licence or its client. */
export const renewalNamed = (text: string): string => /^renovar\s(.*)$/i.exec(text)?.[1]?.trim() ?? '';

/**
 * The lines that show what can be done with their record: the first match, one that was opened by a key, and those with
 * room for it beside them.
 */
export function linesWithVerbs(
  lines: readonly PaletteOption[],
  openedId: string | null,
): ReadonlySet<PaletteOption> {
  const first = lines.find(({ verbs }) => verbs !== undefined);
  const shows = (line: PaletteOption) => line === first || line.verbsBeside === true || line.id === openedId;
  return new Set(lines.filter((line) => line.verbs !== undefined && line.verbs.length > 0 && shows(line)));
}

/** The verb of a line after the active one, or the one before it, which is at first the line itself. */
export function verbBeside(
  line: PaletteOption | undefined,
  active: PaletteOption | undefined,
  step: 1 | -1,
): PaletteOption | undefined {
  const all = line === undefined ? [] : [line, ...(line.verbs ?? [])];
  return all[all.findIndex((option) => option.id === active?.id) + step];
}
