import { TODAY_MARK_DAYS } from '../../../../contract/desk/today.ts';
import { shownState } from '../../../../contract/licenses/license-state.ts';
import { MAIL_KIND_LABELS } from '../../../../contract/mail/mails.ts';
import { shownMailAddress } from '../../../../contract/reading/mail-addresses.ts';
import { clientLink, licenseLink } from '../../../records/links.ts';
import { newestFailed } from '../../../rules/failed-mails.ts';
import { isSomebody } from './licenses.queries.ts';
import { OF_NOBODY, type TodayReader, type TodayRow, type TodaySource } from './source.ts';
import { TODAY_TEXTS as TEXTS } from './texts.ts';
import { isOpenOn } from './today-marks.queries.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Letters of a mail server's answer that are shown. */
const ERROR_SHOWN = 200;

type Usable = Parameters<typeof shownState>[0];

/** Whether nobody needs the mail any more: its licence is cancelled or over. */
const isPast = (license: Usable, { now, timeZone }: TodayReader) =>
  ['cancelled', 'expired', 'over'].includes(shownState(license, now, timeZone));

/**
 * Mails that were not delivered, the newest first. Older ones than a mark is kept are not shown, so that none comes
 * back after it was done.
 */
export const failedMails: TodaySource = {
  kind: 'mail_failed',
  find: async (db, reader, { limit, offset, record, openOn }) => {
    const since = new Date(reader.now.getTime() - TODAY_MARK_DAYS * DAY_MS).toISOString();
    const open = openOn !== undefined && isOpenOn(openOn, 'mail_failed', 'outbox.id', 'outbox.kind');
    const rows = await newestFailed(db, open || undefined)
      .leftJoin('clients as of_mail', 'of_mail.id', 'failed.client_id')
      .where('failed.created_at', '>', since)
      .$if(record !== undefined, (query) => query.where('failed.id', '=', record!))
      .select([
        'failed.kind',
        'failed.to_name',
        'failed.last_error',
        'licenses.status',
        'licenses.expiry_date',
        'licenses.grace_days',
        'of_mail.email as email',
        'of_mail.is_system as is_system',
        'of_mail.id as mailed_id',
        'of_mail.name as mailed_name',
      ])
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map((row): TodayRow | null => {
      const { id, kind, to_name, to_address, last_error, created_at, status, expiry_date, grace_days } = row;
      if (status !== null && isPast({ status, expiry_date, grace_days: grace_days ?? 0 }, reader))
        return null;
      const { mailed_id, email, is_system } = row;
      const hasClient = mailed_id !== null && email !== null;
      if (hasClient && !isSomebody({ id: mailed_id, email, is_system: is_system ?? false })) return null;
      const address = shownMailAddress(to_address);
      return {
        ...OF_NOBODY,
        record: id,
        fact: kind,
        at: created_at,
        title: TEXTS.mailFailed(to_name || address),
        detail: TEXTS.mailDetail(MAIL_KIND_LABELS[kind], address, last_error?.slice(0, ERROR_SHOWN) ?? null),
        client: clientLink(row) ?? clientLink({ client_id: mailed_id, client_name: row.mailed_name }),
        license: licenseLink(row),
      };
    });
  },
};
