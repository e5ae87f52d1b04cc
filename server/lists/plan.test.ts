import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { askedWord } from '../../test/asked-word.ts';
import type { DrivingFilter } from './driving-filter.ts';
import { amongFound, type Condition, type FoundId } from './filters.ts';
import { type Known, planOf } from './plan.ts';
import { type Asked, LIST_LIMITS } from './statements.ts';

const holds = sql<boolean>`true`;
const tested: Condition = { holds };
const few: Condition = { holds, byIndex: 'few' };
const many: Condition = { holds, byIndex: 'many' };
const elsewhere: Condition = amongFound('licenses.id', sql<FoundId>`select 1 as id`, {});
const ofStatus: Condition = { holds, byIndex: 'many', kept: { status: 'active' } };
const ofKind: Condition = { holds, byIndex: 'many', kept: { kind: 'trial' } };
const counts: Condition = { holds, count: async () => 7 };

const FIRST = [3, 2].map((id) => ({ id, place: [id] }));

const asked = (conditions: Condition[], other: Partial<Asked> = {}): Asked => ({
  table: 'licenses',
  countedBy: 'licenses',
  texts: [],
  conditions,
  words: [],
  findsNothing: false,
  order: { by: 'licenses.created_at', of: 'instant', descending: true },
  limits: LIST_LIMITS,
  ...other,
});
const driving = (condition: Condition, n = 10): DrivingFilter => ({ condition, n, most: 100_000 });
const frequent = driving(elsewhere, LIST_LIMITS.counted + 1);

/** The name of the plan, or of what has to be read first. */
function chosen(request: Asked, known: Known = {}): string {
  const plan = planOf(request, known);
  return typeof plan === 'string' ? `read ${plan}` : plan.by;
}

describe('without search words', () => {
  test.each<[string, Condition[], Partial<Asked>, string]>([
    ['no filter has a stored count', [], {}, 'stored'],
    ['filters with one stored count each have one together', [ofStatus, ofKind], {}, 'stored'],
    ['the only filter counts by itself', [counts], {}, 'stored'],
    ['two filters of one stored count have none', [ofStatus, ofStatus], {}, 'read driving'],
    ['a filter that counts by itself is tested beside another one', [counts, tested], {}, 'scan'],
    ['a list without stored counts reads its rows', [], { countedBy: undefined }, 'scan'],
    ['a list without stored counts does not ask its filter', [counts], { countedBy: undefined }, 'scan'],
    ['a filter with few rows is counted in its index', [few], {}, 'oneIndex'],
    ['a filter with many rows is counted in its index', [many], {}, 'oneIndex'],
    [
      'a filter that is tested otherwise on a row needs its rows',
      [{ ...few, onRow: holds }],
      {},
      'read driving',
    ],
    ['ids of another table may be too many', [elsewhere], {}, 'read driving'],
    ['one of several filters may be the driving one', [few, tested], {}, 'read driving'],
    ['filters without an index are tested on each row', [tested, tested], {}, 'scan'],
  ])('%s', (_title, conditions, other, expected) => {
    expect(chosen(asked(conditions, other))).toBe(expected);
  });

  test.each<[string, Known, string]>([
    ['a driving filter with few rows finds them', { driving: driving(few) }, 'driving'],
    ['filters with too many rows each are tested on each row', { driving: null }, 'scan'],
    ['with very many ids of another table the first rows are tested', { driving: frequent }, 'read first'],
    ['the list is followed if its first rows have many of them', { driving: frequent, first: FIRST }, 'scan'],
    ['they are read if the first rows have few of them', { driving: frequent, first: null }, 'driving'],
  ])('%s', (_title, known, expected) => {
    expect(chosen(asked([elsewhere, few]), known)).toBe(expected);
  });

  test('very many rows of the same table are read without a look at the first rows', () => {
    expect(chosen(asked([many, few]), { driving: driving(many, LIST_LIMITS.counted + 1) })).toBe('driving');
  });
});

describe('with search words', () => {
  test.each<[string, string[], Known, string]>([
    ['one word is looked up in the texts', ['quetzal'], {}, 'texts'],
    ['for several words the first rows are tested', ['norte', 'sur'], {}, 'read first'],
    ['many matches among the first rows are the answer', ['norte', 'sur'], { first: FIRST }, 'firstRows'],
    ['otherwise the texts are asked', ['norte', 'sur'], { first: null }, 'texts'],
  ])('%s', (_title, words, known, expected) => {
    for (const conditions of [[], [few], [ofStatus], [counts]])
      expect(chosen(asked(conditions, { words: words.map(askedWord) }), known)).toBe(expected);
  });
});

test('a text without letters and digits is looked for nowhere (INPUT-08)', () => {
  for (const conditions of [[], [few], [ofStatus], [counts]])
    expect(chosen(asked(conditions, { findsNothing: true }))).toBe('nothing');
});

test('a plan carries what was read for it', () => {
  expect(planOf(asked([few, tested]), { driving: driving(few) })).toEqual({
    by: 'driving',
    driving: driving(few),
  });
  expect(planOf(asked([], { words: ['norte', 'sur'].map(askedWord) }), { first: FIRST })).toEqual({
    by: 'firstRows',
    rows: FIRST,
  });
});
