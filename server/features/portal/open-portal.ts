import { timingSafeEqual } from 'node:crypto';
import type { PortalSignedIn, PortalVerify } from '../../../contract/portal/portal.ts';
import { PORTAL_LIMITS } from '../../../contract/portal/portal-words.ts';
import { isAmong, lockRows } from '../../db/dialect.ts';
import type { Db, PortalKind } from '../../db/tables.ts';
import { createToken, hashToken } from '../../lib/secret.ts';
import { giveUseBack, takeUse } from '../../limits/uses.ts';
import { record } from '../../records/record-event.ts';
import { contactActorName } from '../../rules/client-contacts.ts';
import { mergedInto } from '../../rules/merged-clients.ts';
import { markVerified } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { aboutClient } from '../clients/client.record.ts';
import { clientsOfAddress, type EnteredClient } from './portal-clients.queries.ts';
import { wrongCodes } from './portal-limits.ts';
import { hashCode } from './portal-link-job.ts';
import { insertPortalSession, isViewerThere } from './portal-sessions.queries.ts';

/** The result of opening a session. */
type Opened = { token: string; seconds: number; client: PortalSignedIn['client'] };
/** The clients among which an address is to choose, and the token that binds the choice to the browser. */
type ToChoose = { token: string; choices: NonNullable<PortalSignedIn['choices']> };

const SECONDS: Record<PortalKind, number> = {
  client: PORTAL_LIMITS.sessionSeconds,
  ticket: PORTAL_LIMITS.ticketSessionSeconds,
  view: PORTAL_LIMITS.viewSessionSeconds,
};

/**
 * Opens a session: with the code or the link in a mail, in the browser that requested it, or with the link of a
 * ticket or of 'Ver como cliente', in any browser. After its use neither code nor link is valid (PORTAL-01,
 * PORTAL-06, PORTAL-08).
 *
 * Where the address may sign in for several clients, no session opens: the browser chooses one with another call, once
 * and within the time of the request (DESK-04).
 *
 * For a wrong code it returns null and does not throw, because the count of tries must be committed.
 * @param browser the cookie of a request of this browser; null without one
 * @returns null for a code or link that is wrong, expired, used, or of another browser or request, and for a choice
 * that is none of those offered
 */
export async function openPortal(
  scope: Scope,
  { code, token, choice }: PortalVerify,
  browser: string | null,
): Promise<Opened | ToChoose | null> {
  if (code === undefined && token === undefined) return choose(scope, choice, browser);
  const ask = await findAsk(scope, token, browser);
  if (!ask) return null;
  await lockRecords(scope.tx, ask);
  if (token === undefined && !(await tryCode(scope, ask, (code ?? '').replace(/\s/g, '')))) return null;
  const choices = ask.kind === 'client' ? await entered(scope.tx, ask) : [];
  return choices.length > 1 ? offer(scope, ask, choices) : openFor(scope, ask, choices[0]);
}

/** The clients among whom a request may have to choose. */
async function choicesOf(tx: Db, { id }: Ask): Promise<number[]> {
  const rows = await tx
    .selectFrom('portal_ask_clients')
    .select('client_id')
    .where('ask_id', '=', id)
    .execute();
  return rows.map((row) => row.client_id);
}

/** The clients of a request for which its address may still sign in. */
async function entered(tx: Db, ask: Ask): Promise<EnteredClient[]> {
  const { client_id, email_key } = ask;
  const ids = client_id === null ? await choicesOf(tx, ask) : [client_id];
  return ids.length === 0 || email_key === null ? [] : clientsOfAddress(tx, email_key, ids);
}

/**
 * Uses the code up and keeps the request for the choice. The browser gets another token: one that somebody else knew
 * before the code came is worth nothing.
 */
async function offer(
  { tx, now }: Scope,
  { id }: Ask,
  choices: readonly EnteredClient[],
): Promise<ToChoose | null> {
  const token = createToken();
  // Of concurrent calls only one proves it.
  const proved = await tx
    .updateTable('portal_asks')
    .set({ proved_at: now.toISOString(), browser_hash: hashToken(token) })
    .where('id', '=', id)
    .where('proved_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return proved ? { token, choices: choices.map((client) => ({ id: client.id, name: client.name })) } : null;
}

async function choose(
  scope: Scope,
  choice: number | undefined,
  browser: string | null,
): Promise<Opened | null> {
  const ask = await asksOf(scope)
    .where('browser_hash', '=', hashToken(browser ?? ''))
    .where('proved_at', 'is not', null)
    .executeTakeFirst();
  if (!ask) return null;
  await lockRecords(scope.tx, ask);
  const among = await entered(scope.tx, ask);
  // A client that was offered may have been merged since (MERGE-01).
  const into = Number.isSafeInteger(choice) ? await mergedInto(scope.tx, choice!) : null;
  const client = among.find(({ id }) => id === choice || id === into);
  return client ? openFor(scope, ask, client) : null;
}

/** The requests that are not over. */
const asksOf = ({ tx, now }: Scope) =>
  tx
    .selectFrom('portal_asks')
    .select([
      'id',
      'kind',
      'email_key',
      'client_id',
      'license_id',
      'installation_id',
      'user_id',
      'staff_session_id',
    ])
    .where('expires_at', '>', now.toISOString());

/** The request of a link, or else the request of the browser, whose code was not used yet. */
async function findAsk(scope: Scope, token: string | undefined, browser: string | null) {
  const browserHash = browser === null ? '' : hashToken(browser);
  const asks = asksOf(scope).where('proved_at', 'is', null);
  if (token === undefined) return asks.where('browser_hash', '=', browserHash).executeTakeFirst();
  return asks
    .where('token_hash', '=', hashToken(token))
    .where((eb) => eb.or([eb('browser_hash', 'is', null), eb('browser_hash', '=', browserHash)]))
    .executeTakeFirst();
}

type Ask = NonNullable<Awaited<ReturnType<typeof findAsk>>>;

/**
 * Locks the licence or clients before the request, in the same order as changes of these records, which delete the
 * request. For an unknown address it runs the same query, so that the time of a wrong code reveals nothing.
 */
async function lockRecords(tx: Db, ask: Ask): Promise<void> {
  const { kind, license_id, client_id } = ask;
  if (kind === 'ticket') {
    const license = tx
      .selectFrom('licenses')
      .select('id')
      .where('id', '=', license_id ?? 0);
    await lockRows(tx, license).execute();
  }
  const ids = [client_id ?? 0, ...(await choicesOf(tx, ask))];
  await lockRows(
    tx,
    tx
      .selectFrom('clients')
      .select('id')
      .where((eb) => isAmong(tx, eb.ref('id'), ids))
      .orderBy('id'),
  ).execute();
}

/**
 * Tries a code. Two counters are incremented before the code is compared: five tries for a request, and twenty wrong
 * codes a day for an address, whoever tries and also for concurrent tries. The address's counter stays locked until
 * the transaction ends, so concurrent tries wait for each other.
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
    // Another call has used the code meanwhile.
    .where('proved_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  const isRight = Boolean(tried?.code_hash && isEqual(tried.code_hash, hashCode(id, code)));
  // The code was correct, or it was not compared because all tries are used up, so no wrong code is counted.
  if (isRight || !tried) await giveUseBack(tx, wrong.key);
  return isRight;
}

const isEqual = (one: string, other: string) => timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Uses the request up and opens its session.
 * @param chosen the client of a sign-in by mail; undefined if there is none any more
 */
async function openFor(scope: Scope, ask: Ask, chosen: EnteredClient | undefined): Promise<Opened | null> {
  const { tx, now } = scope;
  // Of concurrent calls only one deletes the row.
  const used = await tx.deleteFrom('portal_asks').where('id', '=', ask.id).returning('id').executeTakeFirst();
  if (!used) return null;
  const { kind, email_key, license_id, installation_id, user_id, staff_session_id } = ask;
  const client = kind === 'client' ? chosen : await clientOf(tx, ask);
  if (!client) return null;
  if (kind === 'view' && !(await isViewerThere(tx, staff_session_id, now))) return null;
  const seconds = SECONDS[kind];
  const session = {
    kind,
    client_id: client.id,
    email_key,
    license_id,
    installation_id,
    user_id,
    staff_session_id,
  };
  const token = await insertPortalSession(tx, session, seconds, now);
  const { id, name } = client;
  if (kind === 'client') {
    await tx
      .updateTable('clients')
      .set({ portal_last_sign_in: now.toISOString() })
      .where('id', '=', id)
      .execute();
    const contact = chosen?.contact ?? null;
    // A contact's sign-in proves nothing about the client's own address.
    if (contact === null) await markVerified(tx, id);
    const actor = {
      kind: 'client' as const,
      id,
      name: contact === null ? name : contactActorName(name, contact.name),
    };
    await record({ ...scope, actor }, { type: 'client.signed_in', ...aboutClient(client) });
  }
  return { token, seconds, client: kind === 'ticket' ? null : { id, name } };
}

/** The client of a ticket or of 'Ver como cliente', if that client may still enter the portal. */
async function clientOf(tx: Db, { kind, client_id, license_id }: Ask) {
  if (client_id === null) return undefined;
  if (kind === 'ticket' && !(await isOfClient(tx, license_id, client_id))) return undefined;
  return tx
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', '=', client_id)
    .where('status', '=', 'active')
    .executeTakeFirst();
}

/** Whether a licence still belongs to the client; it may have been transferred. */
async function isOfClient(tx: Db, license: number | null, client: number): Promise<boolean> {
  const row = await tx
    .selectFrom('licenses')
    .select('id')
    .where('id', '=', license ?? 0)
    .where('client_id', '=', client)
    .executeTakeFirst();
  return row !== undefined;
}
