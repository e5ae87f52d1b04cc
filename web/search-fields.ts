import { PAGE_SIZES, SEARCH_MAX, VALIDITY_DAYS_MAX } from '../contract/base/limits.ts';
import { CURRENCIES } from '../contract/base/money.ts';
import { ID_PATTERN, type RawSearch } from './paths.ts';

/**
 * Reads single search parameters. An invalid one is undefined and so ignored: the screen opens with its default.
 * Without zod: the readers of lists run first, and no screen that is drawn first needs a schema.
 */

/**
 * The reader of a screen's search parameters, beside the screen. Its result is the type of what links may give.
 *
 *     export const readKeysSearch = searchReader((raw) => ({ nuevo: readDialogs(raw).nuevo }));
 *     export type KeysSearch = ReturnType<typeof readKeysSearch>;
 */
export const searchReader =
  <Search extends object>(read: (raw: RawSearch) => Search): ((raw: RawSearch) => Partial<Search>) =>
  (raw) =>
    read(raw);

/** The page of a list and its size; absent: the first one, five rows. */
export const readPaging = (raw: RawSearch) => ({
  page: readId(raw.page),
  page_size: PAGE_SIZES.find((size) => size === readId(raw.page_size)),
});

/** `?nuevo=1` opens the dialog that creates (D021), `?editar=7` the one that edits record 7. */
export const readDialogs = (raw: RawSearch) => ({
  nuevo: String(raw.nuevo) === '1' ? ('1' as const) : undefined,
  editar: readId(raw.editar),
});

/** A text as a filter or a search holds it. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim().slice(0, SEARCH_MAX) : '';
  return text === '' ? undefined : text;
}

/** A positive whole number, from text or, in a link of the console, a number already. */
export function readId(value: unknown): number | undefined {
  return ID_PATTERN.test(String(value)) ? Number(value) : undefined;
}

/** As `readId`, as text. */
export function readIdText(value: unknown): `${number}` | undefined {
  const id = readId(value);
  return id === undefined ? undefined : `${id}`;
}

/** A filter that tells two kinds apart. */
export function readFlag(value: unknown): 'true' | 'false' | undefined {
  const text = String(value);
  return text === 'true' || text === 'false' ? text : undefined;
}

/** A currency by its code. */
export const readCurrency = (value: unknown) => CURRENCIES.find((currency) => currency === value);

/** A filter that is on or absent. */
export const readOn = (value: unknown): 'true' | undefined => (String(value) === 'true' ? 'true' : undefined);

/** A day as an address holds it: 2026-11-22. */
export function readDay(value: unknown): string | undefined {
  const isDay =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  return isDay ? value : undefined;
}

/** Two days with '..' between them. */
export function readDayRange(value: unknown): string | undefined {
  const days = String(value).split('..');
  return days.length === 2 && days.every(readDay) ? String(value) : undefined;
}

/** A number of days that the server accepts. */
export function readDays(value: unknown): number | undefined {
  const days = readId(value);
  return days !== undefined && days <= VALIDITY_DAYS_MAX ? days : undefined;
}

/** An order by its name on the wire; '-' in front turns it around. */
export const readOrdering = (value: unknown, labels: Record<string, string>): string | undefined =>
  typeof value === 'string' && Object.hasOwn(labels, value.replace(/^-/, '')) ? value : undefined;

/** The value if it is a key of `labels`. */
export function readKey<Key extends string>(value: unknown, labels: Record<Key, string>): Key | undefined {
  return typeof value === 'string' && Object.hasOwn(labels, value) ? (value as Key) : undefined;
}
