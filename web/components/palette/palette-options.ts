import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { normalizeForSearch } from '../../../contract/base/text.ts';
import type { GroupKey } from '../../text/es-palette.ts';

/** One line of the palette. */
export interface PaletteOption {
  /** Unique in the palette; the last part of the element's id. */
  id: string;
  title: string;
  /** True for a licence key: shown in a monospaced font. */
  isCode?: boolean;
  /** The second line of the option. */
  detail?: string | undefined;
  icon: LucideIcon;
  /** Shown at the right end: a badge, a date. */
  meta?: ReactNode;
  /** A keyboard shortcut for the same action. */
  keys?: readonly string[] | undefined;
  /** A text that choosing the option writes into the search box. The palette stays open for further typing. */
  types?: string;
  /** The actions on the option's record; absent if the option is no record of a search answer. */
  verbs?: readonly PaletteVerb[];
  /** What the record's card says below its line (DESK-10). */
  card?: ReactNode;
  /** True: the actions are always visible at the right end of the line. Otherwise they are below it. */
  verbsBeside?: boolean;
  run: () => void;
}

/** An action on the record of a line. Screen readers announce its title, which contains the record's name. */
export interface PaletteVerb extends Omit<PaletteOption, 'types' | 'verbs'> {
  label: string;
}

export interface PaletteGroup {
  key: GroupKey;
  options: PaletteOption[];
}

/** An action of the palette, with further words by which it is found. */
export interface PaletteAction extends PaletteOption {
  group: 'create' | 'renew' | 'money' | 'go' | 'other';
  words: string;
  /** True: found only by a text that begins with its verb, because the record's name alone should find the record. */
  byVerb?: boolean;
}

/** True if each typed word begins a word of the action. */
export function fitsAction(
  { title, words, byVerb = false }: Pick<PaletteAction, 'title' | 'words' | 'byVerb'>,
  text: string,
): boolean {
  const known = normalizeForSearch(`${title} ${words}`).split(' ');
  const typed = normalizeForSearch(text).split(' ');
  if (byVerb && !known[0]!.startsWith(typed[0]!)) return false;
  return typed.every((begun) => known.some((word) => word.startsWith(begun)));
}

/** From this number of letters on, matching actions are listed before the records. */
const CLEAR_LETTERS = 3;

/**
 * Removes empty groups and keeps the order. Consecutive groups with the same key become one group with one heading.
 */
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
  (['create', 'renew', 'money', 'go', 'other'] as const).map((key) => ({
    key,
    options: actions.filter(({ group }) => group === key),
  }));

/**
 * The options that the palette lists. Without a text: the recent records, then every action. With a text: the matching
 * actions, which are known at once, then the records, so that nothing moves when the records arrive. One or two
 * letters match too many actions, so then the records come first.
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
  const requested = normalizeForSearch(text);
  if (requested === '') return present([{ key: 'recent', options: recent }, ...inGroups(actions)]);
  const fitting = actions.filter((action) => fitsAction(action, requested));
  const listed = new Set(fitting.map(({ id }) => id));
  const others = records.map(({ key, options }) => ({
    key,
    options: options.filter(({ id }) => !listed.has(id)),
  }));
  const groups = inGroups(fitting);
  return present(isClear(requested) ? [...groups, ...others] : [...others, ...groups]);
}

const isClear = (text: string) => text.length >= CLEAR_LETTERS;

/**
 * The line that Enter opens if none was chosen: the first one. While the search is loading it is only a line that will
 * stay first: an action that matches the text.
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

/** What can be asked for by typing the verb and then the name of a licence or its client. */
const VERBS = { renew: /^renovar\s(.*)$/i, charge: /^cobrar\s(.*)$/i, pay: /^registrar\s+pago\s(.*)$/i };
export type NamedVerb = keyof typeof VERBS;

/** The verb with which the text begins, and the name after it; null if there is none yet. */
export function verbNamed(text: string): { verb: NamedVerb; name: string } | null {
  for (const [verb, pattern] of Object.entries(VERBS)) {
    const name = pattern.exec(text)?.[1]?.trim() ?? '';
    if (name !== '') return { verb: verb as NamedVerb, name };
  }
  return null;
}

/**
 * The lines whose actions are shown: the first match, the line opened with a key, and lines with room for them beside.
 */
export function linesWithVerbs(
  lines: readonly PaletteOption[],
  openedId: string | null,
): ReadonlySet<PaletteOption> {
  const first = lines.find(({ verbs }) => verbs !== undefined);
  const shows = (line: PaletteOption) => line === first || line.verbsBeside === true || line.id === openedId;
  return new Set(lines.filter((line) => line.verbs !== undefined && line.verbs.length > 0 && shows(line)));
}

/** The next or previous action of a line, seen from the active element, which is the line itself at first. */
export function verbBeside(
  line: PaletteOption | undefined,
  active: PaletteOption | undefined,
  step: 1 | -1,
): PaletteOption | undefined {
  const all = line === undefined ? [] : [line, ...(line.verbs ?? [])];
  return all[all.findIndex((option) => option.id === active?.id) + step];
}
