import type { Generated } from 'kysely';

/**
 * How a portal session began: by a mail to the client, by a ticket from a program, or by staff with 'Ver como
 * cliente'.
 */
export type PortalKind = 'client' | 'ticket' | 'view';

/** Codes and links that were not used yet, as SHA-256 hashes; a used one is deleted (PORTAL-01, PORTAL-06). */
export type PortalAsksTable = {
  id: Generated<number>;
  kind: PortalKind;
  browser_hash: string | null;
  /** The address that somebody entered, in lower case, whether or not a client has it. */
  email_key: string | null;
  code_hash: string | null;
  token_hash: string | null;
  /** The number of times that somebody entered a code for it. */
  tries: Generated<number>;
  client_id: number | null;
  license_id: number | null;
  installation_id: number | null;
  user_id: number | null;
  /** The session of the person who pressed 'Ver como cliente'. */
  staff_session_id: number | null;
  expires_at: string;
  /** When its code or link was used and a client is still to be chosen (DESK-04). */
  proved_at: Generated<string | null>;
};

/** The clients among which an address may choose; a client without its row is none of them any more (DESK-04). */
type PortalAskClientsTable = { ask_id: number; client_id: number };

/** Sessions of the portal, by the SHA-256 hash of their cookie (PORTAL-03). */
export type PortalSessionsTable = {
  hash: string;
  kind: PortalKind;
  client_id: number;
  /** For a client's sign-in: the address, its own or that of a contact. */
  email_key: string | null;
  license_id: number | null;
  installation_id: number | null;
  user_id: number | null;
  /** The session of the person who pressed 'Ver como cliente'; the view ends with it. */
  staff_session_id: number | null;
  last_used_at: string;
  expires_at: string;
};

export type PortalTables = {
  portal_asks: PortalAsksTable;
  portal_ask_clients: PortalAskClientsTable;
  portal_sessions: PortalSessionsTable;
};
