import { fromMinorUnits } from '../../../../contract/base/money.ts';
import { localDay } from '../../../../contract/base/time.ts';
import { requestConcept } from '../../../../contract/payments/payment-words.ts';
import { openNotices } from '../../../rules/open-notices.ts';
import { hasPart } from '../../../rules/open-requests.ts';
import { dueOf } from '../../payment-requests/close-request.ts';
import { OF_NOBODY, type TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';

/** Transfers of which clients gave notice (MONEY-11), the oldest first. Another notice is another matter. */
export const transferNotices: TodaySource = {
  kind: 'transfer_notified',
  find: async (db, { now, timeZone }, { limit, offset, record }) => {
    const rows = await openNotices(db, now)
      .$if(record !== undefined, (query) => query.where('id', '=', record!))
      .orderBy('notice_at')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(({ id, client_id, client_name, notice_at, held_until, currency, ...row }) => ({
      ...OF_NOBODY,
      record: id,
      fact: String(Date.parse(notice_at)),
      at: notice_at,
      title: TEXTS.transferNotified(client_name),
      detail: TEXTS.transferDetail(requestConcept(id), row.notice_paid_on, row.notice_reference),
      client: { id: client_id, name: client_name },
      amount: fromMinorUnits(dueOf(row), currency),
      currency,
      // One of which a part came in stays open in any case (MONEY-06).
      due: held_until && !hasPart(row) ? localDay(held_until, timeZone) : null,
    }));
  },
};
