import type { FastifyRequest } from 'fastify';
import type { Contact } from '../../../contract/clients/contact-words.ts';
import type { SeatTimes } from '../../../contract/licenses/seats.ts';
import { hasLapsed } from '../../../contract/licenses/seats.ts';
import { PORTAL_HEADER, PORTAL_MESSAGES } from '../../../contract/portal/portal-words.ts';
import { mailKey } from '../../../contract/reading/mail-addresses.ts';
import type { AppContext } from '../../context.ts';
import { readContacts } from '../../db/contacts.ts';
import type { Db } from '../../db/tables.ts';
import { forbidden, notFound, unauthorized } from '../../errors.ts';
import { cookieOf, PORTAL_COOKIE } from '../../http/cookies.ts';
import { isSecureHost } from '../../http/portal-host.ts';
import type { PortalSession, Principal } from '../../principal.ts';
import { contactActorName } from '../../rules/client-contacts.ts';
import { readSettings } from '../settings/settings.queries.ts';
import {
  endPortalSession,
  type FoundSession,
  findPortalSession,
  isViewerThere,
  storeUse,
} from './portal-sessions.queries.ts';

/** A client has no permissions of staff. */
const NONE: ReadonlySet<never> = new Set();

/**
 * Decides whether a call of the portal is allowed, before its body is read.
 * @returns the client; null for a call that is open to everyone
 * @throws notFound (404) while the portal is off, forbidden (403) without its header and for any change in a session
 * of 'Ver como cliente', unauthorized (401) without a session
 */
export async function enterPortal(context: AppContext, request: FastifyRequest): Promise<Principal | null> {
  const { access, portal } = request.routeOptions.config;
  const { portal_enabled, portal_features } = await readSettings(context.db);
  if (!portal_enabled) throw notFound();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead && portal !== 'program' && request.headers[PORTAL_HEADER] !== '1') {
    throw forbidden(PORTAL_MESSAGES.forbidden);
  }
  if (access !== 'client') return null;
  const session = await sessionOf(context, request);
  if (!session) throw unauthorized(PORTAL_MESSAGES.unauthorized);
  if (session.kind === 'view' && !isRead) throw forbidden(PORTAL_MESSAGES.readOnly);
  const contact = contactOf(session);
  const own: PortalSession = {
    hash: session.hash,
    kind: session.kind,
    ticket: ticketOf(session),
    features: contact ? { ...portal_features, ...NOT_OF_CONTACTS } : portal_features,
    contact: contact && { name: contact.name, email: contact.email },
  };
  return {
    kind: 'client',
    id: session.client_id,
    name: actorName(session, own),
    permissions: NONE,
    session: null,
    portal: own,
  };
}

/** What the client alone decides (DESK-04). */
const NOT_OF_CONTACTS = { tax_data: false, reminders: false } as const;

/**
 * The client who is signed in to the portal, for the one call outside of it that says more to its own client
 * (MONEY-12); null for nobody, while the portal is off, and for a program's ticket, which names no client.
 */
export async function portalClientOf(context: AppContext, request: FastifyRequest): Promise<number | null> {
  if (!(await readSettings(context.db)).portal_enabled) return null;
  const session = await sessionOf(context, request);
  return session && session.kind !== 'ticket' ? session.client_id : null;
}

/**
 * The name shows in histories who acted: the client, a person from a program by the machine's name, or a contact by
 * its own.
 */
function actorName(
  { client_name, machine_name }: FoundSession,
  { ticket, contact }: Pick<PortalSession, 'ticket' | 'contact'>,
): string {
  if (ticket) return `${client_name} (${machine_name})`;
  return contact ? contactActorName(client_name, contact.name) : client_name;
}

const isOwnAddress = ({ email_key, client_email_key }: FoundSession) => email_key === client_email_key;

/** The contact who signed in, while the client names it so; null for the client itself, and in other sessions. */
function contactOf(session: FoundSession): Contact | null {
  const { kind, email_key } = session;
  if (kind !== 'client' || isOwnAddress(session)) return null;
  const contacts = readContacts(session.client_contacts);
  return (
    contacts.find(({ email, receives }) => receives.includes('portal') && mailKey(email) === email_key) ??
    null
  );
}

async function sessionOf(context: AppContext, request: FastifyRequest): Promise<FoundSession | null> {
  const { db, config } = context;
  const token = cookieOf(request, PORTAL_COOKIE, isSecureHost(config, request));
  if (token === null) return null;
  const now = context.now();
  const session = await findPortalSession(db, token, now);
  if (!session) return null;
  if (!(await isStanding(db, session, now))) {
    await endPortalSession(db, token);
    return null;
  }
  await storeUse(db, session, now);
  return session;
}

/** Whether the session is still valid: nothing has ended it before its time. */
async function isStanding(db: Db, session: FoundSession, now: Date): Promise<boolean> {
  if (session.client_status !== 'active') return false;
  if (session.kind === 'client') return isOwnAddress(session) || contactOf(session) !== null;
  if (session.kind === 'view') return isViewerThere(db, session.staff_session_id, now);
  const { lease_minutes, installation_date, last_heartbeat } = session;
  if (session.license_client_id !== session.client_id || installation_date === null) return false;
  const seat: SeatTimes = { installation_date, last_heartbeat };
  return !hasLapsed({ lease_minutes: lease_minutes ?? null }, seat, now);
}

function ticketOf({ kind, license_id, installation_id, machine_id }: FoundSession): PortalSession['ticket'] {
  if (kind !== 'ticket' || license_id === null || installation_id === null || machine_id === null)
    return null;
  return { licenseId: license_id, installationId: installation_id, machineId: machine_id };
}
