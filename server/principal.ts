import type { ActorKind } from '../contract/events.ts';
import type { Permission } from '../contract/permissions.ts';

/** The user's own part of a session that is open. */
export type Session = {
  sessionId: number;
  userId: number;
  username: string;
  names: string;
  last_name: string;
  email: string;
};

/**
 * Who stands behind a request: a signed-in user, a program with an API key, a client in the portal, an installed program
 * with its licence key. All of them come in by one door (features/auth/authenticate.ts), and what they may do is said in one
 * vocabulary.
 */
export type Principal = {
  kind: Exclude<ActorKind, 'system'>;
  /** Of the user, the API key or the client; null for an installed program. */
  id: number | null;
  name: string;
  permissions: ReadonlySet<Permission>;
  /** Of a user alone. */
  session: Session | null;
};
