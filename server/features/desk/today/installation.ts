import { backupLateSince } from '../../../../contract/system/backups.ts';
import { shownUrl } from '../../../../contract/system/webhooks.ts';
import { formatMoment } from '../../../lib/format-moment.ts';
import { disabledWebhooks } from '../../../rules/disabled-webhooks.ts';
import { OF_NOBODY, type TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';

/** What concerns the installation itself. These rows are few. */

export const webhookDisabled: TodaySource = {
  kind: 'webhook_disabled',
  find: async (db, _reader, { limit, offset, record }) => {
    const rows = await disabledWebhooks(db)
      .$if(record !== undefined, (query) => query.where('id', '=', record!))
      .orderBy('disabled_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(({ id, url, at }) => ({
      ...OF_NOBODY,
      record: id,
      fact: String(Date.parse(at)),
      at,
      title: TEXTS.webhookDisabled,
      detail: shownUrl(url),
    }));
  },
};

/** The only record of its kind is the plan, with the id 1. */
export const backupLate: TodaySource = {
  kind: 'backup_late',
  find: async (db, { now, timeZone, mayMakeCopies }, { offset, record = 1 }) => {
    if (!mayMakeCopies || offset > 0 || record !== 1) return [];
    const plan = await db.selectFrom('backup_plan').selectAll().executeTakeFirst();
    const at = plan ? backupLateSince(plan, now) : null;
    if (!plan || at === null) return [];
    const last = plan.last_tried_at;
    return [
      {
        ...OF_NOBODY,
        record: 1,
        fact: String(Date.parse(at)),
        at,
        title: TEXTS.backupLate,
        detail: TEXTS.backupDetail(last && formatMoment(last, timeZone)),
      },
    ];
  },
};
