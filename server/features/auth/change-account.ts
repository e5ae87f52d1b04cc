import type { Account, AccountUpdate } from '../../../contract/auth.ts';
import { digestWeek } from '../../../contract/digest.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db } from '../../db/tables.ts';
import { unauthorized } from '../../errors.ts';
import { changesBetween, record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { clearBounce } from '../mail/bounces.queries.ts';
import { userActor } from './auth.queries.ts';

const COLUMNS = [
  'id',
  'username',
  'names',
  'last_name',
  'email',
  'is_active',
  'weekly_digest',
] as const satisfies (keyof Account)[];

const accountOf = (db: Db, id: number) => db.selectFrom('users').select(COLUMNS).where('id', '=', id);

/** The user's own account. @throws unauthorized (401) when it was deleted meanwhile */
export async function findAccount(db: Db, id: number): Promise<Account> {
  const account = await accountOf(db, id).executeTakeFirst();
  if (!account) throw unauthorized();
  return account;
}

/**
 * Changes what a user chose for itself, and keeps what is not named. Whoever asks for the digest gets the next one, not
 * that of the week that runs.
 */
export async function changeAccount(scope: Scope, id: number, sent: AccountUpdate): Promise<Account> {
  const { tx, now, timeZone } = scope;
  const before = await lockRows(tx, accountOf(tx, id)).executeTakeFirst();
  if (!before) throw unauthorized();
  const changes = changesBetween(before, { ...before, ...sent });
  if (Object.keys(changes).length === 0) return before;
  const asks = sent.weekly_digest === true && !before.weekly_digest;
  await tx
    .updateTable('users')
    .set({ ...sent, ...(asks && { digest_week: digestWeek(now, timeZone) }) })
    .where('id', '=', id)
    .execute();
  if (changes.email) await clearBounce(tx, before.email);
  const after = { ...before, ...sent };
  await record(scope, { type: 'user.updated', subject: userActor(after), changes });
  return after;
}
