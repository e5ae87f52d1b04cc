import type { PortalTicket } from '../../../contract/portal/portal.ts';
import { PORTAL_LIMITS, PORTAL_MESSAGES, PORTAL_PATH } from '../../../contract/portal/portal-words.ts';
import { lockRows } from '../../db/dialect.ts';
import type { PortalAsksTable } from '../../db/tables.ts';
import { AppError } from '../../errors.ts';
import { createToken, hashToken } from '../../lib/secret.ts';
import type { Session } from '../../principal.ts';
import { record } from '../../records/record-event.ts';
import { gone } from '../../records/save-record.ts';
import { hidesClient } from '../../rules/verified-clients.ts';
import type { Scope } from '../../scope.ts';
import { aboutClient, clientRecord } from '../clients/client.record.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { clientVariables } from '../mail-templates/license-variables.ts';
import { type LockedLicense, ownSeat } from '../programs/activate-installation.ts';
import { ProgramRefusal } from '../programs/signed-answers.ts';
import { readSettings } from '../settings/settings.queries.ts';

/**
 * Addresses of the portal. The addresses of a ticket and of 'Ver como cliente' open one session and are valid for
 * five minutes (PORTAL-06, PORTAL-08).
 */

async function createAddress(
  { tx, now, clientUrl }: Scope,
  ask: { kind: 'ticket' | 'view'; client_id: number } & Partial<
    Pick<PortalAsksTable, 'license_id' | 'installation_id' | 'user_id' | 'staff_session_id'>
  >,
): Promise<string> {
  const token = createToken();
  await tx
    .insertInto('portal_asks')
    .values({
      browser_hash: null,
      email_key: null,
      code_hash: null,
      license_id: null,
      installation_id: null,
      user_id: null,
      staff_session_id: null,
      ...ask,
      token_hash: hashToken(token),
      expires_at: new Date(now.getTime() + PORTAL_LIMITS.linkSeconds * 1000).toISOString(),
    })
    .execute();
  return `${clientUrl}${PORTAL_PATH}#k=${token}`;
}

/**
 * An installed program requests an address of the portal for its licence and machine, with the same guards as for a
 * heartbeat.
 * @throws ProgramRefusal wrong_software; not_activated without a seat, and if its client may not enter the portal
 */
export async function createTicket(
  scope: Scope,
  asked: PortalTicket,
  license: LockedLicense,
): Promise<string> {
  const { tx } = scope;
  const seat = await ownSeat(scope, asked, license);
  const client = await tx
    .selectFrom('clients')
    .select('status')
    .where('id', '=', license.client_id)
    .executeTakeFirst();
  if (client?.status !== 'active' || license.is_system || hidesClient(license)) {
    throw new ProgramRefusal('not_activated', license);
  }
  return createAddress(scope, {
    kind: 'ticket',
    client_id: license.client_id,
    license_id: license.id,
    installation_id: seat.id,
  });
}

/**
 * Locks a client who may enter the portal, so that a concurrent deactivation waits.
 * @throws notFound (404); AppError 409 conflict while the client is not active, or the portal off
 */
async function requirePortalClient({ tx }: Scope, id: number) {
  const client = await lockRows(
    tx,
    tx
      .selectFrom('clients')
      .select(['id', 'name', 'company', 'email', 'status', 'is_system'])
      .where('id', '=', id),
  ).executeTakeFirst();
  if (!client) throw await gone(tx, clientRecord, id);
  const { portal_enabled } = await readSettings(tx);
  if (!portal_enabled) throw new AppError(409, 'conflict', { message: PORTAL_MESSAGES.off });
  if (client.is_system) throw new AppError(409, 'conflict', { message: PORTAL_MESSAGES.ofTrials });
  if (client.status !== 'active') throw new AppError(409, 'conflict', { message: PORTAL_MESSAGES.inactive });
  return client;
}

/**
 * Mails a client the address of the portal; the address alone gives no access.
 * @throws as {@link requirePortalClient}
 */
export async function inviteToPortal(scope: Scope, id: number): Promise<void> {
  const client = await requirePortalClient(scope, id);
  await queueMail(scope, {
    kind: 'portal_invitation',
    to: { name: client.name, address: client.email },
    client: id,
    variables: { client: clientVariables(client), link: `${scope.clientUrl}${PORTAL_PATH}` },
  });
}

/**
 * Makes the address with which a person of the staff sees the portal as a client does, without being able to change
 * anything.
 * @returns the address; it and its session are only valid while the person's session is open
 * @throws as {@link requirePortalClient}
 */
export async function viewAsClient(
  scope: Scope,
  id: number,
  { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
): Promise<string> {
  const client = await requirePortalClient(scope, id);
  await record(scope, { type: 'client.portal_viewed', ...aboutClient(client) });
  return createAddress(scope, {
    kind: 'view',
    client_id: id,
    user_id: userId,
    staff_session_id: sessionId,
  });
}
