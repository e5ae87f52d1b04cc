import { describe, expect, test } from 'vitest';
import {
  type PaymentState,
  REVIEW_REASONS,
  type ReviewReason,
} from '../../../contract/payments/payment-words.ts';
import { decisionOn, type Effect, type Received, readReport } from './report-outcome.ts';

/** What a report does, without a database. */

type Stored = NonNullable<Parameters<typeof readReport>[0]>;
type Reported = Parameters<typeof readReport>[1];

/** A report about a payment of 10.00. */
const reported = (state: PaymentState, more: Partial<Reported> = {}): Reported => ({
  state,
  amount: 1000,
  refunded: 0,
  dispute: null,
  ...more,
});
const stored = (state: PaymentState, more: Partial<Stored> = {}): Stored => ({
  state,
  refunded_cents: 0,
  dispute: null,
  ...more,
});

describe('a report by the stored state and the reported one (PAY-04, PAY-06)', () => {
  test.each<[PaymentState | null, PaymentState, PaymentState, Effect[]]>([
    [null, 'pending', 'pending', []],
    [null, 'failed', 'failed', []],
    [null, 'approved', 'approved', ['receive']],
    [null, 'refunded', 'refunded', ['refund']],
    [null, 'charged_back', 'charged_back', ['dispute']],
    ['pending', 'pending', 'pending', []],
    ['pending', 'failed', 'failed', []],
    ['pending', 'approved', 'approved', ['receive']],
    ['pending', 'refunded', 'refunded', ['refund']],
    ['pending', 'charged_back', 'charged_back', ['dispute']],
    ['failed', 'pending', 'failed', []],
    ['failed', 'failed', 'failed', []],
    ['failed', 'approved', 'approved', ['receive']],
    ['failed', 'refunded', 'refunded', ['refund']],
    ['failed', 'charged_back', 'charged_back', ['dispute']],
    ['approved', 'pending', 'approved', []],
    ['approved', 'failed', 'approved', []],
    ['approved', 'approved', 'approved', []],
    ['approved', 'refunded', 'refunded', ['refund']],
    ['approved', 'charged_back', 'charged_back', ['dispute']],
    ['refunded', 'pending', 'refunded', []],
    ['refunded', 'failed', 'refunded', []],
    ['refunded', 'approved', 'refunded', []],
    ['refunded', 'refunded', 'refunded', []],
    ['refunded', 'charged_back', 'refunded', []],
    ['charged_back', 'pending', 'charged_back', []],
    ['charged_back', 'failed', 'charged_back', []],
    ['charged_back', 'approved', 'charged_back', []],
    ['charged_back', 'refunded', 'charged_back', ['refund']],
    ['charged_back', 'charged_back', 'charged_back', []],
  ])('%s, then %s: %s, and %j', (before, found, state, effects) => {
    const known =
      before === null ? undefined : stored(before, before === 'refunded' ? { refunded_cents: 1000 } : {});
    const report = readReport(known, reported(found));
    expect([report.stored.state, report.effects]).toEqual([state, effects]);
    expect(report.isForward).toBe(before !== state);
  });

  test('a part that is refunded leaves the payment approved, and is told each time that it grows', () => {
    expect(readReport(undefined, reported('approved', { refunded: 300 }))).toEqual({
      stored: { state: 'approved', refunded_cents: 300, dispute: null },
      isForward: true,
      effects: ['receive', 'refund'],
    });
    const before = stored('approved', { refunded_cents: 300 });
    const effectsOf = (found: Reported) => readReport(before, found).effects;
    expect(effectsOf(reported('approved', { refunded: 400 }))).toEqual(['refund']);
    expect(effectsOf(reported('approved', { refunded: 300 }))).toEqual([]);
    expect(readReport(before, reported('approved', { refunded: 100 })).stored.refunded_cents).toBe(300);
  });

  test('a refund without an amount is the whole amount', () => {
    expect(readReport(stored('approved'), reported('refunded')).stored.refunded_cents).toBe(1000);
    expect(
      readReport(stored('approved'), reported('refunded', { refunded: 900 })).stored.refunded_cents,
    ).toBe(900);
  });

  test('a chargeback is told as a dispute, and not as a refund; how it ends is told later, and it does not open again', () => {
    const back = readReport(
      stored('approved'),
      reported('charged_back', { refunded: 1000, dispute: 'open' }),
    );
    expect(back.effects).toEqual(['dispute']);
    const ended = readReport(back.stored, reported('charged_back', { refunded: 1000, dispute: 'won' }));
    expect([ended.stored.dispute, ended.effects]).toEqual(['won', ['dispute']]);
    const older = readReport(ended.stored, reported('charged_back', { refunded: 1000, dispute: 'open' }));
    expect([older.stored.dispute, older.effects]).toEqual(['won', []]);
  });

  test('a dispute that takes no money back yet is told', () => {
    expect(readReport(stored('approved'), reported('approved', { dispute: 'open' })).effects).toEqual([
      'dispute',
    ]);
    expect(readReport(undefined, reported('approved', { dispute: 'open' })).effects).toEqual([
      'receive',
      'dispute',
    ]);
  });
});

/** A payment as it was requested, except for what is given. */
function received({ payment, request, ...more }: Changed = {}): Received {
  return {
    payment: {
      is_test: false,
      amount_cents: 1000,
      currency: 'MXN',
      paid_at: '2026-11-10T18:00:00.000Z',
      ...payment,
    },
    request: {
      state: 'open',
      review_reason: null,
      applied_at: null,
      amount_cents: 1000,
      paid_cents: 0,
      withheld_cents: 0,
      currency: 'MXN',
      expires_at: '2026-11-10T18:00:00.000Z',
      held_until: null,
      ...request,
    },
    account: 'vendor',
    ownAccount: 'vendor',
    demo: false,
    isRenewed: false,
    ...more,
  };
}
type Changed = Partial<Omit<Received, 'payment' | 'request'>> & {
  payment?: Partial<Received['payment']>;
  request?: Partial<Received['request']>;
};

/** What makes each reason true, the most serious first. */
const UNEXPECTED: [Exclude<ReviewReason, 'license'>, Changed][] = [
  ['test', { payment: { is_test: true } }],
  ['duplicate', { request: { applied_at: '2026-11-10T12:00:00.000Z', state: 'paid' } }],
  ['account', { account: 'another' }],
  ['currency', { payment: { currency: 'USD' } }],
  ['amount', { payment: { amount_cents: 999 } }],
  ['late', { payment: { paid_at: '2026-11-10T18:00:00.001Z' } }],
];

describe('received money (PAY-05)', () => {
  test.each<[string, Changed]>([
    ['as requested, at the last moment', {}],
    ['a test payment in demo mode', { payment: { is_test: true }, demo: true }],
    ['in time, but reported after the end', { request: { state: 'expired' } }],
    ['to an account of which the provider says nothing', { account: null }],
    ['to an account before the own one is known', { ownAccount: null }],
    [
      'the rest of a request that was paid in parts, with a withheld tax, also after its day (MONEY-06)',
      {
        payment: { amount_cents: 300, paid_at: '2026-12-24T18:00:00.000Z' },
        request: { paid_cents: 600, withheld_cents: 100 },
      },
    ],
  ])('renews: %s', (_what, changed) => {
    expect(decisionOn(received(changed))).toBe('apply');
  });

  test.each([
    ...UNEXPECTED,
    ['late', { request: { state: 'cancelled' } }],
    ['late', { request: { state: 'expired' }, isRenewed: true }],
    // The page asked everything before a part came in.
    ['amount', { request: { paid_cents: 600 } }],
    ['late', { payment: { amount_cents: 400 }, request: { state: 'cancelled', paid_cents: 600 } }],
  ] as const)('waits for a person because of %s: %j', (reason, changed) => {
    expect(decisionOn(received(changed))).toBe(reason);
  });

  test('has the most serious of several reasons', () => {
    // All reasons but 'license', which only applying shows.
    expect(new Set(UNEXPECTED.map(([reason]) => reason))).toEqual(
      new Set(REVIEW_REASONS.filter((one) => one !== 'license')),
    );
    const reasons = UNEXPECTED.map((_, first) => {
      const all = UNEXPECTED.slice(first).map(([, changed]) => changed);
      const parts = { payment: all.map((one) => one.payment), request: all.map((one) => one.request) };
      return decisionOn(
        received({
          ...Object.assign({}, ...all),
          payment: Object.assign({}, ...parts.payment),
          request: Object.assign({}, ...parts.request),
        }),
      );
    });
    expect(reasons).toEqual(UNEXPECTED.map(([reason]) => reason));
  });

  test.each(REVIEW_REASONS.filter((reason) => reason !== 'test'))(
    'changes nothing while its request is in review because of %s',
    (review_reason) => {
      const request = { state: 'review', review_reason } as const;
      expect(decisionOn(received({ request }))).toBeNull();
      for (const [, { payment, account = 'vendor' }] of UNEXPECTED) {
        expect(decisionOn(received({ request, account, ...(payment && { payment }) }))).toBeNull();
      }
    },
  );

  test('takes the place of a test payment in review, so that a person can apply it', () => {
    const request = { state: 'review', review_reason: 'test' } as const;
    expect(decisionOn(received({ request }))).toBe('late');
    expect(decisionOn(received({ request, payment: { amount_cents: 999 } }))).toBe('amount');
    expect(decisionOn(received({ request, payment: { is_test: true } }))).toBeNull();
  });
});
