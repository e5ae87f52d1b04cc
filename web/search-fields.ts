import { PAGE_SIZES, PASTED_MAX, VALIDITY_DAYS_MAX } from '../contract/base/limits.ts';
import { CURRENCIES } from '../contract/base/money.ts';
import { ID_PATTERN, type RawSearch } from './paths.ts';

/**
 * Functions that parse single search parameters. An invalid one becomes undefined, so the screen uses its default.
 * Without zod, because lists parse their parameters first, and no first screen needs a schema.
 */

/**
 * Creates the function that parses a screen's search parameters; it is defined beside the screen. Its result type is
 * also the type for links.
 *
 *     export const readKeysSearch = searchReader((raw) => ({ nuevo: readDialogs(raw).nuevo }));
 *     export type KeysSearch = ReturnType<typeof readKeysSearch>;
 */
export const searchReader =
  <Search extends object>(read: (raw: RawSearch) => Search): ((raw: RawSearch) => Partial<Search>) =>
  (raw) =>
    read(raw);

/** The page of a list and the page size. Defaults: the first page, five rows. */
export const readPaging = (raw: RawSearch) => ({
  page: readId(raw.page),
  page_size: PAGE_SIZES.find((size) => size === readId(raw.page_size)),
});

/** `?nuevo=1` opens the creation dialog (D021), `?editar=7` the dialog that edits record 7. */
export const readDialogs = (raw: RawSearch) => ({
  nuevo: String(raw.nuevo) === '1' ? ('1' as const) : undefined,
  editar: readId(raw.editar),
});

/** A text of a filter or a search, trimmed and limited in length. */
export function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim().slice(0, PASTED_MAX) : '';
  return text === '' ? undefined : text;
}

/** A positive whole number, from a text or, in links of the console, from a number. */
export function readId(value: unknown): number | undefined {
  return ID_PATTERN.test(String(value)) ? Number(value) : undefined;
}

/** Like `readId`, but returned as text. */
export function readIdText(value: unknown): `${number}` | undefined {
  const id = readId(value);
  return id === undefined ? undefined : `${id}`;
}

/** A filter with the values 'true' and 'false'. */
export function readFlag(value: unknown): 'true' | 'false' | undefined {
  const text = String(value);
  return text === 'true' || text === 'false' ? text : undefined;
}

/** A currency code. */
export const readCurrency = (value: unknown) => CURRENCIES.find((currency) => currency === value);

/** A filter that is 'true' or absent. */
export const readOn = (value: unknown): 'true' | undefined => (String(value) === 'true' ? 'true' : undefined);

/** A day in the form 2026-11-22. */
export function readDay(value: unknown): string | undefined {
  const isDay =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  return isDay ? value : undefined;
}

/** Two days separated by '..'. */
export function readDayRange(value: unknown): string | undefined {
  const days = String(value).split('..');
  return days.length === 2 && days.every(readDay) ? String(value) : undefined;
}

/** A number of days that the server accepts. */
export function readDays(value: unknown): number | undefined {
  const days = readId(value);
  return days !== undefined && days <= VALIDITY_DAYS_MAX ? days : undefined;
}

/** A sort order by its API name; with '-' in front it is descending. */
export const readOrdering = (value: unknown, labels: Record<string, string>): string | undefined =>
  typeof value === 'string' && Object.hasOwn(labels, value.replace(/^-/, '')) ? value : undefined;

/** The value if it is a key of `labels`. */
export function readKey<Key extends string>(value: unknown, labels: Record<Key, string>): Key | undefined {
  return typeof value === 'string' && Object.hasOwn(labels, value) ? (value as Key) : undefined;
}
