import { timingSafeEqual } from 'node:crypto';
import type { PortalSignedIn, PortalVerify } from '../../../contract/portal/portal.ts';
import { PORTAL_LIMITS } from '../../../contract/portal/portal-words.ts';
import { lockRows } from '../../db/dialect.ts';
import type { Db, PortalKind } from '../../db/tables.ts';
import { hashToken } from '../../lib/secret.ts';
import { giveUseBack, takeUse } from '../../limits/uses.ts';
import { record } from '../../records/record-event.ts';
import type { Scope } from '../../scope.ts';
import { aboutClient } from '../clients/client.record.ts';
import { wrongCodes } from './portal-limits.ts';
import { hashCode } from './portal-link-job.ts';
import { insertPortalSession } from './portal-sessions.queries.ts';

/** A session that was opened. */
type Opened = { token: string; seconds: number; client: PortalSignedIn['client'] };

const SECONDS: Record<PortalKind, number> = {
  client: PORTAL_LIMITS.sessionSeconds,
  ticket: PORTAL_LIMITS.ticketSessionSeconds,
  view: PORTAL_LIMITS.viewSessionSeconds,
};

/**
 * Opens a session with the code or the link of a mail, in the browser that asked for it, or with the link of a ticket or
 * of 'Ver como cliente' in any. Each is used up, code and link together (PORTAL-01, PORTAL-06, PORTAL-08).
 *
 * It does not throw for a wrong code: its count must be stored.
 * @param browser the cookie of a request of this browser; null without one
 * @returns null for whatever is wrong, old, used, or of another browser or request
 */
export async function openPortal(
  scope: Scope,
  { code, token }: PortalVerify,
  browser: string | null,
): Promise<Opened | null> {
  const ask = await findAsk(scope, token, browser);
  if (!ask) return null;
  await holdRecords(scope.tx, ask);
  if (token === undefined && !(await tryCode(scope, ask, (code ?? '').replace(/\s/g, '')))) return null;
  // Of calls at the same time one deletes it.
  const used = await scope.tx
    .deleteFrom('portal_asks')
    .where('id', '=', ask.id)
    .returning('id')
    .executeTakeFirst();
  return used ? openFor(scope, ask) : null;
}

/** The request of a link, or that of the browser. */
async function findAsk({ tx, now }: Scope, token: string | undefined, browser: string | null) {
  const browserHash = browser === null ? '' : hashToken(browser);
  const asks = tx
    .selectFrom('portal_asks')
    .select(['id', 'kind', 'email_key', 'client_id', 'license_id', 'installation_id', 'user_id'])
    .where('expires_at', '>', now.toISOString());
  if (token === undefined) return asks.where('browser_hash', '=', browserHash).executeTakeFirst();
  return asks
    .where('token_hash', '=', hashToken(token))
    .where((eb) => eb.or([eb('browser_hash', 'is', null), eb('browser_hash', '=', browserHash)]))
    .executeTakeFirst();
}

type Ask = NonNullable<Awaited<ReturnType<typeof findAsk>>>;

/**
 * Locks the records of a request before the request, as their changes do, which delete it. For an address that nobody has
 * it asks as well, so that the time of a wrong code does not say so.
 */
async function holdRecords(tx: Db, { kind, license_id, client_id }: Ask): Promise<void> {
  if (kind === 'ticket') {
    const license = tx
      .selectFrom('licenses')
      .select('id')
      .where('id', '=', license_id ?? 0);
    await lockRows(tx, license).execute();
  }
  await lockRows(
    tx,
    tx
      .selectFrom('clients')
      .select('id')
      .where('id', '=', client_id ?? 0),
  ).execute();
}

/**
 * Tries a code. Both counts are taken before it is compared: five tries of a request, and of an address twenty wrong ones
 * a day, whoever makes them and however many at once. The counter of the address is locked until the end, so they wait
 * for one another.
 */
async function tryCode({ tx, now }: Scope, { id, email_key }: Ask, code: string): Promise<boolean> {
  if (email_key === null) return false;
  const wrong = wrongCodes(email_key);
  if (!(await takeUse(tx, wrong, now))) return false;
  const tried = await tx
    .updateTable('portal_asks')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '<', PORTAL_LIMITS.tries)
    .returning('code_hash')
    .executeTakeFirst();
  const isRight = Boolean(tried?.code_hash && isEqual(tried.code_hash, hashCode(id, code)));
  // Nothing was tried, or nothing was wrong.
  if (isRight || !tried) await giveUseBack(tx, wrong.key);
  return isRight;
}

const isEqual = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other));

async function openFor(scope: Scope, ask: Ask): Promise<Opened | null> {
  const { tx, now } = scope;
  const client = await clientOf(tx, ask);
  if (!client) return null;
  const { kind, license_id, installation_id, user_id } = ask;
  const email_key = kind === 'client' ? client.email_key : null;
  const seconds = SECONDS[kind];
  const session = { kind, client_id: client.id, email_key, license_id, installation_id, user_id };
  const token = await insertPortalSession(tx, session, seconds, now);
  const { id, name } = client;
  if (kind === 'client') {
    await tx
      .updateTable('clients')
      .set({ portal_last_sign_in: now.toISOString() })
      .where('id', '=', id)
      .execute();
    const actor = { kind: 'client' as const, id, name };
    await record({ ...scope, actor }, { type: 'client.signed_in', ...aboutClient(client) });
  }
  return { token, seconds, client: kind === 'ticket' ? null : { id, name } };
}

/** The client that a request stands for, while it may come in. */
async function clientOf(tx: Db, { kind, client_id, email_key, license_id }: Ask) {
  if (client_id === null) return undefined;
  if (kind === 'ticket' && !(await isOfClient(tx, license_id, client_id))) return undefined;
  const client = await tx
    .selectFrom('clients')
    .select(['id', 'name', 'email_key'])
    .where('id', '=', client_id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  // The mail went to an address that is not the client's any more.
  return kind === 'client' && client?.email_key !== email_key ? undefined : client;
}

/** Whether a licence is still a client's: it may have been transferred since. */
async function isOfClient(tx: Db, license: number | null, client: number): Promise<boolean> {
  const row = await tx
    .selectFrom('licenses')
    .select('id')
    .where('id', '=', license ?? 0)
    .where('client_id', '=', client)
    .executeTakeFirst();
  return row !== undefined;
}
