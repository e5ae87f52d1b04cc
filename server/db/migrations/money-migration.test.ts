import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { emptyDatabase, openForTest } from '../../../test/empty-database.ts';
import { insertFirstRows, migrateTo, RELEASED } from '../../../test/released.ts';
import { migrate } from '../open.ts';
import { migrationFiles } from './index.ts';

test('payments of before are on their days, with what is known of their refunds (MONEY-04)', async () => {
  const db = openForTest(await emptyDatabase());
  await migrateTo(db, RELEASED[0]!.last);
  await insertFirstRows(db);
  const names = [...migrationFiles().keys()];
  await migrateTo(db, names[names.indexOf('092-money-by-day') - 1]!);

  const day = (number: number) => `2026-02-${String(number).padStart(2, '0')}T12:00:00.000Z`;
  const request = {
    code_hash: '',
    state: 'paid' as const,
    client_id: 1,
    client_name: 'Óscar',
    currency: 'MXN' as const,
    tax_rate_hundredths: 0,
    tax_cents: 0,
    note: '',
    review_reason: null,
    expires_at: day(28),
    paid_at: day(1),
    applied_at: day(1),
    pressed_at: null,
    poll_at: null,
    asked_at: null,
    actor_kind: 'system' as const,
    actor_id: null,
    actor_name: '',
    created_at: day(1),
    updated_at: day(1),
  };
  const line = {
    kind: 'renewal' as const,
    description: '',
    days: 30,
    original_price_cents: null,
    license_type_id: null,
  };
  const noTerms = { discount_percentage: 0, promotion_name: '', promotion_description: '' };
  const noTerm = { starts: null, ends: null, term_id: null, open_license_id: null };
  const requests: number[] = [];
  for (const number of [1, 2, 3, 4]) {
    const { id } = await db
      .insertInto('payment_requests')
      .values({
        ...request,
        reference: `r${number}`,
        code_hash: `c${number}`,
        subtotal_cents: 300,
        amount_cents: 300,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    requests.push(id);
    // The licence of the second line was deleted, before the program remembered its software.
    for (const [position, license_id, price_cents] of [
      [0, 1, 100],
      [1, null, 200],
    ] as const) {
      const values = {
        ...line,
        ...noTerms,
        ...noTerm,
        request_id: id,
        position,
        license_id,
        license_key: 'A',
        price_cents,
      };
      await db.insertInto('payment_lines').values(values).execute();
    }
  }
  const payment = {
    provider: 'mercado_pago' as const,
    client_id: 1,
    client_name: 'Óscar',
    amount_cents: 100,
    refunded_cents: 0,
    withheld_cents: 0,
    currency: 'MXN',
    method: null,
    reference: '',
    is_test: false,
    dispute: null,
    created_at: day(1),
    paid_at: day(2),
    updated_at: day(20),
  };
  const states = [
    // Two refunds from here, and one on the provider's own site.
    { state: 'refunded' as const, refunded_cents: 100 },
    { state: 'charged_back' as const, refunded_cents: 10, dispute: 'lost' as const },
    { state: 'approved' as const, is_test: true },
    { state: 'pending' as const, paid_at: null },
  ];
  for (const [index, own] of states.entries()) {
    const of = { source: `p${index}`, provider_id: `p${index}`, request_id: requests[index]! };
    await db
      .insertInto('payments')
      .values({ ...payment, ...of, ...own })
      .execute();
  }
  for (const [number, state, amount_cents] of [
    [5, 'done', 40],
    [6, 'refused', 60],
    [7, 'done', 30],
  ] as const) {
    await db
      .insertInto('payment_refunds')
      .values({
        payment_id: 1,
        request_key: null,
        provider_key: `k${number}`,
        amount_cents,
        refunded_before: 0,
        state,
        repeats: null,
        created_at: day(number),
      })
      .execute();
  }
  await migrate(db);

  const moves = await db
    .selectFrom('payment_moves')
    .select((eb) => ['payment_id', 'at', 'software_id', eb.fn.sum<number>('amount_cents').as('cents')])
    .groupBy(['payment_id', 'at', 'software_id'])
    .orderBy('payment_id')
    .orderBy('at')
    .orderBy('software_id')
    .execute();
  // A third is of the first line: cut off, so that the last line has the rest.
  expect(moves.map(({ payment_id, at, software_id, cents }) => [payment_id, at, software_id, cents])).toEqual(
    [
      [1, day(2), -1, 67],
      [1, day(2), 1, 33],
      [1, day(5), -1, -27],
      [1, day(5), 1, -13],
      [1, day(7), -1, -20],
      [1, day(7), 1, -10],
      [1, day(20), -1, -20],
      [1, day(20), 1, -10],
      [2, day(2), -1, 67],
      [2, day(2), 1, 33],
      [2, day(20), -1, -67],
      [2, day(20), 1, -33],
    ],
  );
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from day_sums where fact = 'collected'`.execute(db);
  expect(rows[0]!.n).toBe(0);
});
