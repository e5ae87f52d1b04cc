import { LABELS } from '../../../contract/base/labels.ts';
import { addDays, localDay } from '../../../contract/base/time.ts';
import { EXPIRED_WITHIN } from '../../../contract/figures/today.ts';
import { DIGEST_RENEWAL_DAYS, DIGEST_SILENT_DAYS, digestWeek } from '../../../contract/mail/digest.ts';
import { MAIL_KIND_LABELS } from '../../../contract/mail/mails.ts';
import { shownMailAddress } from '../../../contract/reading/mail-addresses.ts';
import type { Settings } from '../../../contract/settings/settings.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { defineRepeatedJob } from '../../jobs/define-job.ts';
import { fullName } from '../../lib/full-name.ts';
import { inScope, type Scope, SYSTEM } from '../../scope.ts';
import { bouncedAt } from '../mail/bounces.queries.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { formatDay } from '../mail-templates/license-variables.ts';
import { moneyText } from '../mail-templates/money-text.ts';
import { readSettings } from '../settings/settings.queries.ts';
import { type DigestFigures, digestFigures } from './digest-figures.ts';

/**
 * Sends the weekly digest on Mondays at 08:00 local to the users who enabled it (LIFE-09). The week is stored with
 * the user in the same transaction that queues the mail, so each user gets only one for each week. A run that starts
 * later still sends.
 */
export const digestJob = defineRepeatedJob({
  kind: 'digest',
  label: MAIL_KIND_LABELS.digest,
  every: 60_000,
  run: async (context, { signal }) => {
    const week = digestWeek(context.now(), context.config.timeZone);
    const due = await dueUsers(context.db, week).execute();
    if (due.length === 0) return;
    const figures = await digestFigures(context.forLongWork, context.now(), context.config.timeZone);
    for (const { id } of due) {
      if (signal.aborted) return;
      await inScope(context, { actor: SYSTEM }, (scope) => sendDigest(scope, id, week, figures));
    }
  },
});

/** Active users with an address who enabled the digest and did not get this week's. */
const dueUsers = (db: Db, week: string) =>
  db
    .selectFrom('users')
    .where('is_active', '=', true)
    .where('weekly_digest', '=', true)
    .where('email', '!=', '')
    .where((eb) => eb.or([eb('digest_week', 'is', null), eb('digest_week', '<', week)]))
    .select(['id', 'names', 'last_name', 'email'])
    .orderBy('id');

async function sendDigest(scope: Scope, id: number, week: string, figures: DigestFigures): Promise<void> {
  const { tx, now, timeZone, publicUrl } = scope;
  const user = await lockRows(tx, dueUsers(tx, week).where('id', '=', id)).executeTakeFirst();
  if (!user) return;
  await tx.updateTable('users').set({ digest_week: week }).where('id', '=', id).execute();
  if ((await bouncedAt(tx, user.email)) !== null) return;
  const name = fullName(user);
  await queueMail(scope, {
    kind: 'digest',
    to: { name, address: user.email },
    user: id,
    variables: {
      user: { name, email: shownMailAddress(user.email) },
      ...variablesOf(figures, await readSettings(tx), timeZone),
      ...linksOf(publicUrl, now, timeZone),
    },
  });
}

function variablesOf(
  { renewals, expired, failedMails, silentMachines, full }: DigestFigures,
  { locale }: Settings,
  timeZone: string,
) {
  const day = (instant: string) => formatDay(instant, timeZone);
  const courtesy = LABELS.complimentary;
  const inWords = moneyText({ locale });
  const money = ({ amount, currency }: { amount: number; currency: string }) => inWords(amount, currency);
  return {
    renewals_count: renewals.count,
    renewals_amount:
      renewals.amounts.map(money).join(' + ') ||
      // Where nobody pays for any of them the template says '2, por cortesía'.
      (renewals.count > 0 ? courtesy.toLowerCase() : money({ amount: 0, currency: 'MXN' })),
    renewals: renewals.listed.map(({ client, product, expiry_date, ...price }) => ({
      client,
      product,
      expires: day(expiry_date),
      // Nobody pays for a courtesy (MONEY-09).
      amount: price.amount === 0 ? courtesy : money(price),
    })),
    expired_count: expired.count,
    expired: expired.listed.map(({ client, product, expiry_date }) => ({
      client,
      product,
      expires: day(expiry_date),
    })),
    failed_mails: failedMails,
    silent_machines: silentMachines,
    full_count: full.count,
    full: full.listed,
  };
}

/** The links to the console's lists for each figure. */
function linksOf(publicUrl: string, now: Date, timeZone: string) {
  const today = localDay(now, timeZone);
  const expired = `expiry_from=${addDays(today, -EXPIRED_WITHIN)}&expiry_to=${today}`;
  return {
    link: `${publicUrl}/dashboard`,
    renewals_link: `${publicUrl}/licenses?expiring_within=${DIGEST_RENEWAL_DAYS}&ordering=expiry_date`,
    expired_link: `${publicUrl}/licenses?${expired}`,
    failed_link: `${publicUrl}/settings/correos?status=failed`,
    silent_link: `${publicUrl}/licenses?silent_for=${DIGEST_SILENT_DAYS}`,
    full_link: `${publicUrl}/licenses?seats_full=true`,
  };
}
