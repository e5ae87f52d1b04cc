import { sql } from 'kysely';
import { fromMinorUnits } from '../../../../contract/base/money.ts';
import { REVIEW_REASON_LABELS } from '../../../../contract/payments/payment-words.ts';
import { OF_NOBODY, type TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';

/** Payment requests that a person must decide on (PAY-05). Another reason, or a later change, is another matter. */
export const paymentReviews: TodaySource = {
  kind: 'payment_review',
  find: async (db, _reader, { limit, offset, record }) => {
    const rows = await db
      .selectFrom('payment_requests')
      .where('state', '=', sql.lit('review' as const))
      .$if(record !== undefined, (query) => query.where('id', '=', record!))
      .select(['id', 'client_id', 'client_name', 'review_reason', 'amount_cents', 'currency', 'updated_at'])
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(
      ({ id, client_id, client_name, review_reason: reason, amount_cents, currency, updated_at }) => ({
        ...OF_NOBODY,
        record: id,
        fact: `${reason ?? 'other'}-${Date.parse(updated_at)}`,
        at: updated_at,
        title: TEXTS.paymentReview(client_name),
        detail: reason ? REVIEW_REASON_LABELS[reason] : '',
        client: { id: client_id, name: client_name },
        amount: fromMinorUnits(amount_cents, currency),
        currency,
      }),
    );
  },
};
