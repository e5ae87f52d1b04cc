import { createContext, useContext } from 'react';
import type { PortalMe } from '../../contract/portal/portal.ts';

/** Who is signed in and what is offered, for every page behind the sign-in. */
interface Session {
  me: PortalMe;
  /** True for 'Ver como cliente': what changes something is shown and does not work. */
  readOnly: boolean;
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this page');
  return session;
}
