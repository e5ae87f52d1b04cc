import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isLine } from '../../contract/base/text.ts';
import { runCompiled } from '../db/prepared.ts';
import type { Db, Tables } from '../db/tables.ts';
import { fault, invalid } from '../errors.ts';
import { allOf } from './filters.ts';
import type { OrderTerm } from './orderings.ts';

/**
 * Where the next page begins: `after` holds the values by which the last row of a page is ordered. The rows behind
 * these values follow, so a row that is created or deleted meanwhile moves no other one to another page (INPUT-16,
 * docs/decisions/135-next-says-after-which-row.md).
 */

/** The length of an `after`, and of the bytes that it is made of. */
const AFTER_MAX = 500;
const BYTES_MAX = (AFTER_MAX / 4) * 3;
/** No value that a row is ordered by is longer. */
const INFLATED_MAX = 8192;

/** The beginning of a text that is too long for `after`, with a hash of the whole text. */
type Cut = { begins: string; hash: string };
type PlaceValue = string | number | null | Cut;
/** The values of a row in the terms of an order. */
export type Place = PlaceValue[];

const isCut = (value: unknown): value is Cut => typeof value === 'object' && value !== null;
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Marks bytes that are deflated; others begin with the bracket of a JSON list. */
const DEFLATED = 1;

/**
 * The `after` of a row.
 * @param order the list and its order, which the text is made for
 * @param place the row's values
 */
export function afterOf(order: string, place: readonly (string | number | null)[]): string {
  const whole = encoded([order, ...place]);
  if (whole) return whole;
  const longest = place.reduce<string>(
    (known, value) => (typeof value === 'string' && value.length > known.length ? value : known),
    '',
  );
  const signs = [...longest];
  for (let length = signs.length - 1; ; length -= Math.ceil(length / 16)) {
    const cut: Cut = { begins: signs.slice(0, length).join(''), hash: hashOf(longest) };
    const text = encoded([
      order,
      ...place.map((value) => (value === longest ? [cut.begins, cut.hash] : value)),
    ]);
    if (text) return text;
  }
}

function encoded(values: unknown[]): string | null {
  const plain = Buffer.from(JSON.stringify(values));
  if (plain.length <= BYTES_MAX) return plain.toString('base64url');
  const packed = Buffer.concat([Buffer.of(DEFLATED), deflateRawSync(plain, { level: 9 })]);
  return packed.length <= BYTES_MAX ? packed.toString('base64url') : null;
}

/** What a term admits. */
type Form = Pick<OrderTerm, 'of' | 'nullable'>;

const FORMS: Record<OrderTerm['of'], (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && isLine(value),
  number: (value) => Number.isSafeInteger(value),
  instant: (value) => typeof value === 'string' && isInstant(value),
};

/** Whether both engines read the text as the instant that it was written for. */
function isInstant(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text && /^(?!0000)\d{4}-/.test(text);
}

/**
 * Reads an `after`.
 * @throws invalid (400) at `after` for a text that is none of this order
 */
export function readAfter(text: string, order: string, forms: readonly Form[]): Place {
  const [named, ...values] = decoded(text) ?? [];
  const place = values.map((value): unknown => {
    if (Array.isArray(value) && value.length === 2) return { begins: value[0], hash: value[1] };
    return isCut(value) ? undefined : value;
  });
  const fits = (value: unknown, { of, nullable }: Form) => {
    if (value === null) return nullable;
    if (!isCut(value)) return FORMS[of](value);
    return of === 'text' && FORMS.text(value.begins) && FORMS.text(value.hash);
  };
  const isOfOrder =
    named === order &&
    place.length === forms.length &&
    forms.every((form, index) => fits(place[index], form)) &&
    place.filter(isCut).length <= 1;
  if (!isOfOrder) throw invalid({ after: [fault('invalid', AFTER_MESSAGE)] });
  // The check above is what the cast needs.
  return place as Place;
}

const AFTER_MESSAGE = 'No es de esta lista en este orden: usa el que trae next';

function decoded(text: string): unknown[] | null {
  if (text.length > AFTER_MAX) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return null;
  try {
    const plain =
      bytes[0] === DEFLATED ? inflateRawSync(bytes.subarray(1), { maxOutputLength: INFLATED_MAX }) : bytes;
    const values: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plain));
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}

/** The value as a parameter. Numbers are cast, because an engine compares them with a smaller type otherwise. */
const given = (value: PlaceValue) =>
  typeof value === 'number' ? sql`cast(${value} as bigint)` : sql`${value}`;

const isAt = ({ value }: OrderTerm, at: PlaceValue): RawBuilder<SqlBool> =>
  at === null ? sql<SqlBool>`${value} is null` : sql<SqlBool>`${value} = ${given(at)}`;

/** Behind all texts with the same beginning. */
const LAST_SIGN = '\u{10ffff}';

/**
 * The rows after a place, as conditions whose rows follow each other: first those that are equal in most terms. Each is
 * a range of an index with these terms: equal values, and then terms of one direction compared together. After a value
 * that is cut, and of which no row shows the rest any more, begin all rows with the same beginning.
 */
export function rangesAfter(terms: readonly OrderTerm[], place: Place): RawBuilder<SqlBool>[] {
  const ranges: RawBuilder<SqlBool>[] = [];
  for (let end = terms.length; end > 0; ) {
    const start = beginOfRun(terms, place, end);
    const before = place.slice(0, start);
    if (!before.some(isCut)) {
      const equal = before.map((value, index) => isAt(terms[index]!, value));
      for (const range of beyond(terms.slice(start, end), place.slice(start, end)))
        ranges.push(allOf([...equal, range]));
    }
    end = start;
  }
  return ranges;
}

/** The first of the terms before `end` that have one direction, and values that can be compared together. */
function beginOfRun(terms: readonly OrderTerm[], place: Place, end: number): number {
  const isPlain = (at: number) => place[at] !== null && !isCut(place[at]);
  let start = end - 1;
  const { descending } = terms[start]!;
  const isOneWithNext = (at: number) =>
    isPlain(at) && isPlain(at + 1) && terms[at]!.descending === descending && !terms[at + 1]!.nullable;
  while (start > 0 && isOneWithNext(start - 1)) start -= 1;
  return start;
}

/** The rows beyond the values of terms with one direction. */
function beyond(terms: readonly OrderTerm[], place: Place): RawBuilder<SqlBool>[] {
  const [first] = terms;
  const [at] = place;
  const { value, nullable, descending } = first!;
  const isNull = sql<SqlBool>`${value} is null`;
  if (at === null) return descending ? [sql<SqlBool>`${value} is not null`] : [];
  const sign = descending ? sql`<` : sql`>`;
  if (isCut(at)) {
    const bound = descending ? `${at.begins}${LAST_SIGN}` : at.begins;
    return [sql<SqlBool>`${value} ${sign} ${bound}`];
  }
  const left = sql.join(terms.map((term) => term.value));
  const right = sql.join(place.map(given));
  const range =
    terms.length === 1 ? sql<SqlBool>`${left} ${sign} ${right}` : sql<SqlBool>`(${left}) ${sign} (${right})`;
  return nullable && !descending ? [range, isNull] : [range];
}

/** The same rows by one condition, for statements that find few rows in another way. */
export const after = (terms: readonly OrderTerm[], place: Place): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(rangesAfter(terms, place), sql` or `)})`;

/**
 * The place with the whole text where it is cut, as long as its row still has that text.
 * @param table the list's table; its row is the one whose id ends the place
 */
export async function wholePlace(
  db: Db,
  table: keyof Tables,
  terms: readonly OrderTerm[],
  place: Place,
): Promise<Place> {
  const index = place.findIndex(isCut);
  const cut = place[index];
  if (!isCut(cut)) return place;
  const query = sql<{ text: unknown }>`select ${terms[index]!.value} as text from ${sql.table(table)}
    where ${sql.ref(`${table}.id`)} = ${given(place.at(-1)!)}`;
  const [row] = await runCompiled(db, query.compile(db));
  if (typeof row?.text !== 'string' || !row.text.startsWith(cut.begins) || hashOf(row.text) !== cut.hash)
    return place;
  return place.with(index, row.text);
}
