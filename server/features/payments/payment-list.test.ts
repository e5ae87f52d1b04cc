import { expect, test } from 'vitest';
import { insertRequestRows } from '../../../bench/request-rows.ts';
import { seed } from '../../../bench/seed.ts';
import { createTestApp } from '../../../test/app.ts';
import { watchStatements } from '../../../test/plans/statements.ts';
import { LIST_LIMITS } from '../../lists/statements.ts';
import { paymentList } from './payment-lists.ts';

/** The list of payments finds a value in a range of days by one index, however many other payments there are. */

/** Limits that three hundred licences' payments exceed. */
const LOW_LIMITS = { ...LIST_LIMITS, few: 20, sorted: 30, counted: 60, indexed: 100 };
const DAY_MS = 24 * 60 * 60_000;

test('payments of some days are counted and summed exactly, with a state and a provider too', async () => {
  const watch = watchStatements();
  const t = await createTestApp();
  const now = t.context.now();
  await seed(t.db, { clients: 60, licenses: 300, installations: 1 }, now);
  await insertRequestRows(t.db, 300, now);
  const stored = await t.db.selectFrom('payments').selectAll().execute();
  const moment = { now, timeZone: 'UTC' };
  const days = (from: number, to: number) => ({
    from: new Date(now.getTime() - from * DAY_MS).toISOString().slice(0, 10),
    to: new Date(now.getTime() - to * DAY_MS).toISOString().slice(0, 10),
  });
  type Query = { from?: string; to?: string; state?: string; provider?: string };
  const expected = ({ from = '', to = '9', state, provider }: Query) =>
    stored
      .filter(({ created_at }) => created_at >= from && created_at.slice(0, 10) <= to)
      .filter((row) => state === undefined || row.state === state)
      .filter((row) => provider === undefined || row.provider === provider)
      .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id)
      .map(({ id }) => id);

  const read = async (query: Query, page: number) =>
    paymentList.page(
      t.db,
      { ...paymentList.query.parse(query), page: String(page), page_size: '15' },
      moment,
      '/licenses/api/payments/',
      LOW_LIMITS,
    );

  for (const query of [
    days(800, 650),
    { ...days(800, 650), state: 'approved' },
    { ...days(800, 650), provider: 'stripe' },
    { ...days(800, 740), state: 'approved', provider: 'stripe' },
    { from: days(150, 0).from, state: 'approved' },
    { to: days(0, 950).to, state: 'approved' },
  ] satisfies Query[]) {
    const ids = expected(query);
    // Alone, each filter finds more than is counted.
    expect(ids.length).toBeGreaterThan(LOW_LIMITS.few);
    const first = await read(query, 1);
    expect(first, JSON.stringify(query)).toMatchObject({ count: ids.length, count_is_exact: true });
    const second = await read(query, 2);
    expect([...first.results, ...second.results].map(({ id }) => id)).toEqual(ids.slice(0, 30));
    const counts = (first.sums ?? []).map((sum) => (sum as { count: number }).count);
    expect(counts.reduce((sum, n) => sum + Number(n), 0)).toBe(ids.length);
  }

  // Where more match than are counted, nothing reads the table from its oldest row.
  const many = { ...days(900, 300), state: 'approved', provider: 'stripe' };
  watch.during('many');
  const page = await read(many, 1);
  watch.during(null);
  expect(page).toMatchObject({ count: LOW_LIMITS.few, count_is_exact: false, sums: null });
  expect(page.results.map(({ id }) => id)).toEqual(expected(many).slice(0, 15));
  expect([...watch.statements.keys()].filter((text) => /"payments"\."id" > /.test(text))).toEqual([]);
});
