import type { Generated } from 'kysely';

/** How a session of the portal began: by a mail, by a ticket of a program, or by 'Ver como cliente'. */
export type PortalKind = 'client' | 'ticket' | 'view';

/** Codes and links that wait to be used, as SHA-256 hashes; a used one is deleted (PORTAL-01, PORTAL-06). */
export type PortalAsksTable = {
  id: Generated<number>;
  kind: PortalKind;
  browser_hash: string | null;
  /** The address that was asked for, in lower case, whether or not a client has it. */
  email_key: string | null;
  code_hash: string | null;
  token_hash: string | null;
  /** How often its code was tried. */
  tries: Generated<number>;
  client_id: number | null;
  license_id: number | null;
  installation_id: number | null;
  user_id: number | null;
  expires_at: string;
};

/** Sessions of the portal, by the SHA-256 hash of their cookie (PORTAL-03). */
export type PortalSessionsTable = {
  hash: string;
  kind: PortalKind;
  client_id: number;
  /** Of a client: the address of the sign-in. */
  email_key: string | null;
  license_id: number | null;
  installation_id: number | null;
  user_id: number | null;
  last_used_at: string;
  expires_at: string;
};

export type PortalTables = { portal_asks: PortalAsksTable; portal_sessions: PortalSessionsTable };
