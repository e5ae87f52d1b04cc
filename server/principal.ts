import type { Permission, Role } from '../contract/people/permissions.ts';
import type { PortalFeatures } from '../contract/portal/portal-words.ts';
import type { ActorKind } from '../contract/system/events.ts';
import type { PortalKind } from './db/tables.ts';

/** An open session and its user. */
export type Session = {
  sessionId: number;
  userId: number;
  username: string;
  names: string;
  last_name: string;
  email: string;
  role: Role;
  mfaEnabled: boolean;
  /** When the person last entered a password or a code; null for sessions of earlier versions. */
  confirmedAt: string | null;
  /** True for a person who must set up a second factor before anything else (PEOPLE-05). */
  mustSetUpMfa: boolean;
};

/** A client's session in the portal, and what the vendor offers in the portal at the moment of the call (PORTAL-03). */
export type PortalSession = {
  /** The hash of the session's cookie. */
  hash: string;
  kind: PortalKind;
  /** The licence and machine of a ticket (PORTAL-06); null for other kinds. */
  ticket: { licenseId: number; installationId: number; machineId: string } | null;
  /** Without what a contact may not do. */
  features: PortalFeatures;
  /** The contact who signed in for the client (DESK-04); null for the client itself. */
  contact: { name: string; email: string } | null;
};

/**
 * The caller of a request: a signed-in user, a program with an API key, a client in the portal, or an installed
 * program with its licence key. features/people/sign-in/authenticate.ts finds the principal. All kinds share one set
 * of permissions.
 */
export type Principal = {
  kind: Exclude<ActorKind, 'system'>;
  /** The id of the user, API key or client; null for an installed program. */
  id: number | null;
  name: string;
  permissions: ReadonlySet<Permission>;
  /** Set for users only. */
  session: Session | null;
  /** Set for clients in the portal only. */
  portal: PortalSession | null;
};
