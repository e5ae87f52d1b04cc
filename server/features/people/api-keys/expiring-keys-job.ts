import { API_KEY_WARNING_DAYS } from '../../../../contract/people/api-keys.ts';
import { shownMailAddress } from '../../../../contract/reading/mail-addresses.ts';
import { lockRows } from '../../../db/dialect.ts';
import type { Db } from '../../../db/tables.ts';
import { defineRepeatedJob } from '../../../jobs/define-job.ts';
import { inScope, type Scope, SYSTEM } from '../../../scope.ts';
import { bouncedAt } from '../../mail/bounces.queries.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { formatDay, whenItEnds } from '../../mail-templates/license-variables.ts';
import { userActor } from '../sign-in/auth.queries.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Mails the maker of a key 14 days before its end, once for each key (PEOPLE-07). `warned_at` is stored in the same
 * transaction that queues the mail. So a run that was killed continues correctly, and a server that was off sends the
 * mail later. A key with a lifetime of less than 14 days is not announced.
 */
export const expiringKeysJob = defineRepeatedJob({
  kind: 'expiring_keys',
  label: 'Claves de API por vencer',
  every: 60 * 60_000,
  run: async (context, { signal }) => {
    for (const { id } of await dueKeys(context.db, context.now()).execute()) {
      if (signal.aborted) return;
      await inScope(context, { actor: SYSTEM }, (scope) => announce(scope, id));
    }
  },
});

/** Valid keys that end within 14 days and were neither announced nor replaced. */
const dueKeys = (db: Db, now: Date) =>
  db
    .selectFrom('api_keys')
    .where('warned_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where('expires_at', '<=', new Date(now.getTime() + API_KEY_WARNING_DAYS * DAY_MS).toISOString())
    .selectAll()
    .orderBy('id');

async function announce(scope: Scope, id: number): Promise<void> {
  const { tx, now, timeZone, publicUrl } = scope;
  const key = await lockRows(tx, dueKeys(tx, now).where('id', '=', id)).executeTakeFirst();
  if (!key) return;
  await tx.updateTable('api_keys').set({ warned_at: now.toISOString() }).where('id', '=', id).execute();
  const isShort = Date.parse(key.expires_at) - Date.parse(key.created_at) < API_KEY_WARNING_DAYS * DAY_MS;
  const maker = await tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', key.user_id)
    .where('is_active', '=', true)
    .executeTakeFirst();
  if (isShort || !maker || maker.email === '' || (await bouncedAt(tx, maker.email)) !== null) return;
  const { name } = userActor(maker);
  await queueMail(scope, {
    kind: 'api_key_expiring',
    to: { name, address: maker.email },
    user: maker.id,
    variables: {
      user: { name, email: shownMailAddress(maker.email) },
      key: {
        name: key.name,
        last_four: key.last_four,
        expires: formatDay(key.expires_at, timeZone),
        when: whenItEnds(key.expires_at, now, timeZone),
      },
      link: `${publicUrl}/settings/claves`,
    },
  });
}
